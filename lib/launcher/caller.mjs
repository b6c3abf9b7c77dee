/** Where a command was called, which relative paths of its arguments are meant from. */

/** npm names it and runs scripts in Gatehouse's folder; elsewhere the variable is inherited from the npm of something else. @param {string} root */
export const findCaller = (root) => (process.cwd() === root && process.env.INIT_CWD) || process.cwd()
