import { test } from 'vitest'
import { modPhpHost } from './hosts'
import { liveThrough } from './life'

test(`${modPhpHost.title}: files, rules, databases and answers stay as they are through install, reinstall and deletion`, () =>
  liveThrough(modPhpHost))
