/** The authorisation matrix: every action by every kind of member, and what of all pages and reads those get who see only a part. */
import { afterAll } from 'vitest'
import { openEstate } from './security/estate'
import { permissions } from './security/permissions'
import { sight } from './security/sight'

const estate = await openEstate()
afterAll(() => estate[Symbol.asyncDispose]())

sight(estate)
permissions(estate)
