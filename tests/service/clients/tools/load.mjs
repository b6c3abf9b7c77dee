/** Is copied beside the installed packages, so that they are found from there. */

/** @param {string} name @returns {Promise<unknown>} */
export const load = (name) => import(name)
