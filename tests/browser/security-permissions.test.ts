/** The authorisation matrix: every action by every kind of member. */
import { afterAll } from 'vitest'
import { openEstate } from './security/estate'
import { permissions } from './security/permissions'

const estate = await openEstate()
afterAll(() => estate[Symbol.asyncDispose]())

permissions(estate)
