/** The browser that the browser tests drive. */
import { existsSync } from 'node:fs'
import { installMissing, packages } from './packages.mjs'

/** Where tests/support/chromium.ts looks for it. */
const programs = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Why there is no Chromium, null when there is one. Installs Debian's where that can be done. */
export const chromiumMissing = () => (programs.some((program) => existsSync(program)) ? null : installMissing(packages.browser))
