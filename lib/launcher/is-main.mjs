/** Whether a file is the program that Node was started with, even through a symbolic link. */
import { realpathSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

/** @param {string} url the file's import.meta.url */
export const isMain = (url) => process.argv[1] !== undefined && pathToFileURL(realpathSync(process.argv[1])).href === url
