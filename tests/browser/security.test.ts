/** The security study's tests on a built, running portal. One Gatehouse serves them all: each only shows that it cannot be harmed. */
import { afterAll } from 'vitest'
import { cookies } from './security/cookies'
import { edge } from './security/edge'
import { openEstate } from './security/estate'
import { hostile } from './security/hostile'
import { foreignIds } from './security/ids'
import { leaks } from './security/leaks'
import { matrix } from './security/matrix'
import { methods } from './security/methods'
import { mixing } from './security/mixing'
import { origins } from './security/origins'
import { redirects } from './security/redirects'
import { revocation } from './security/revocation'
import { weight } from './security/weight'

const estate = await openEstate()
afterAll(() => estate[Symbol.asyncDispose]())

foreignIds(estate)
revocation(estate)
cookies(estate)
edge(estate)
origins(estate)
matrix(estate)
methods(estate)
redirects(estate)
mixing(estate)
weight(estate)
hostile(estate)
// Last: it searches all that the others were answered.
leaks(estate)
