// Replaces this process with the program that DOCSCTL_TEST_PROGRAM names: the process ID and the streams stay the same.
process.emitWarning = () => {};
process.execve(process.env.DOCSCTL_TEST_PROGRAM, ['docsctl', ...process.argv.slice(2)], process.env);
