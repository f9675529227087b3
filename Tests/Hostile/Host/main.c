// Host: a C program that loads a library with futures while it runs, as a plug-in is loaded, and uses it on its own threads.
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef int (*run_function)(const char *);

static run_function load(const char *path, void **library) {
    *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    run_function run = *library ? (run_function)dlsym(*library, "run_scenario") : NULL;
    if (!run) {
        fprintf(stderr, "%s\n", dlerror());
        exit(2);
    }
    return run;
}

struct task {
    run_function run;
    const char *scenario;
    int failures;
};

static void *run_task(void *argument) {
    struct task *task = argument;
    task->failures = task->run(task->scenario);
    return NULL;
}

/// Runs a scenario on several threads of pthread's. Returns the number of failures.
static int run_on_threads(run_function run, const char *scenario, int count) {
    pthread_t threads[16];
    struct task tasks[16];
    int failures = 0;
    for (int index = 0; index < count; index++) {
        tasks[index] = (struct task){run, scenario, 0};
        if (pthread_create(&threads[index], NULL, run_task, &tasks[index]) != 0) exit(2);
    }
    for (int index = 0; index < count; index++) {
        pthread_join(threads[index], NULL);
        failures += tasks[index].failures;
    }
    return failures;
}

/// Starts this program again, by fork and exec, while futures are in progress. Returns its exit status.
static int run_child(char *program, char *path, char *scenario) {
    pid_t child = fork();
    if (child == 0) {
        char *arguments[] = {program, path, scenario, NULL};
        execv(program, arguments);
        _exit(127);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return 1;
    return WEXITSTATUS(status);
}

int main(int count, char **arguments) {
    if (count < 3) return 2;
    void *library, *again;
    run_function run = load(arguments[1], &library);
    int failures = 0;
    if (strcmp(arguments[2], "children") == 0) {
        failures += run("begin");
        for (int index = 0; index < 10; index++) failures += run_child(arguments[0], arguments[1], "programs");
        failures += run("end");
    } else {
        failures += run_on_threads(run, arguments[2], 4);
        // Loaded again, it is the same library; after that one is closed, the first still works.
        if (load(arguments[1], &again) != run) failures++;
        dlclose(again);
        failures += run_on_threads(run, arguments[2], 2);
    }
    // What is pending does not keep the process from exiting.
    run("pending");
    return failures > 0;
}
