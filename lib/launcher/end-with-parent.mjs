/** Imported before a program that would not notice the end of its launcher: ends that program then. */
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
