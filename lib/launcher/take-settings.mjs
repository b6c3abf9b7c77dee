/** Imported before scripts that are no command of gatehouse: takes the settings from the file that GATEHOUSE_SETTINGS names, as the commands do. */
import { resolve } from 'node:path'
import { findCaller } from './caller.mjs'
import { prepareSettings, settingsVariable } from './settings-file.mjs'

const file = process.env[settingsVariable]
if (file && !prepareSettings(resolve(findCaller(process.cwd()), file))) process.exit()
