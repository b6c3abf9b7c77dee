/** Imported before a program that does not watch its launcher: ends the program when the launcher ends. */
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
