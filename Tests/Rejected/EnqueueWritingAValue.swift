// rejected: return a future and await nothing, or use withWriterLock { … }
import Futures

func reload(_ lock: FutureReadWriteLock) {
    lock.enqueueWriting { 1 }
}
