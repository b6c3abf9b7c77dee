/** The security study's tests on a built, running portal. One Gatehouse serves them all: each only shows that it cannot be harmed. */
import { afterAll } from 'vitest'
import { cookies } from './security/cookies'
import { edge } from './security/edge'
import { openEstate } from './security/estate'
import { foreignIds } from './security/ids'
import { leaks } from './security/leaks'
import { matrix } from './security/matrix'
import { methods } from './security/methods'
import { origins } from './security/origins'
import { revocation } from './security/revocation'

const estate = await openEstate()
afterAll(() => estate[Symbol.asyncDispose]())

foreignIds(estate)
revocation(estate)
cookies(estate)
edge(estate)
origins(estate)
matrix(estate)
methods(estate)
// Last: it searches all that the others were answered.
leaks(estate)
