import { test } from 'vitest'
import { nginxHost } from './hosts'
import { liveThrough } from './life'

test(`${nginxHost.title}: files, rules, databases and answers stay as they are through install, reinstall and deletion`, () =>
  liveThrough(nginxHost))
