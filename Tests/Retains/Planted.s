# Planted: faults that .ci/retains must find, as the compiler would make them. %rbx is a node, %r14 and %rdi are objects.
#
# found: stored
# found: loaded
# found: loadedInABranch

    .text

# lock; slot = object; unlock; retain(object)
stored:
    lock cmpxchgq %rcx, 24(%rbx)
    jne stored
    movq %r14, 32(%rbx)
    movq %rdx, 24(%rbx)
    movq %r14, %rdi
    callq swift_retain@PLT
    retq

# lock; object = slot; unlock; retain(object)
loaded:
    lock cmpxchgq %rcx, 24(%rbx)
    jne loaded
    movq 32(%rbx), %rdi
    movq %rdx, 24(%rbx)
    callq swift_retain@PLT
    retq

# The same where the lock is taken on a branch, and the unlock is behind another one; the object was on the stack.
loadedInABranch:
    lock cmpxchgq %rcx, 24(%rbx)
    je .Llocked
    jmp loadedInABranch
.Llocked:
    movq 32(%rbx), %r14
    movq %r14, -8(%rsp)
    testq %r15, %r15
    je .Lempty
    movq %rdx, 24(%rbx)
    movq -8(%rsp), %rdi
    callq swift_retain@PLT
    retq
.Lempty:
    movq %rdx, 24(%rbx)
    retq

# Retained in time, both.
retained:
    lock cmpxchgq %rcx, 24(%rbx)
    jne retained
    movq 32(%rbx), %r12
    movq %r12, %rdi
    callq swift_retain@PLT
    movq %r14, %rdi
    callq swift_retain@PLT
    movq %r14, 32(%rbx)
    movq %rdx, 24(%rbx)
    movq %r12, %rdi
    callq swift_retain@PLT
    retq

# Moved out of its slot: the reference is this code's own.
moved:
    lock cmpxchgq %rcx, 24(%rbx)
    jne moved
    movq 32(%rbx), %rdi
    movq $0, 32(%rbx)
    movq %rdx, 24(%rbx)
    callq swift_retain@PLT
    retq

# Loaded behind the unlock, by whoever holds the object that it is loaded from.
loadedBehind:
    lock cmpxchgq %rcx, 24(%rbx)
    jne loadedBehind
    movq %rdx, 24(%rbx)
    movq 32(%r14), %rdi
    callq swift_retain@PLT
    retq
