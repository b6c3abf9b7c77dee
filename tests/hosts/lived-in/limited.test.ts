import { test } from 'vitest'
import { limitedHost } from './hosts'
import { liveThrough } from './life'

test(`${limitedHost.title}: files, rules, databases and answers stay as they are through install, reinstall and deletion`, () =>
  liveThrough(limitedHost))
