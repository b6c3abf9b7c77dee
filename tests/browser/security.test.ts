/** The security tests that need a built, running portal. All of them share one Gatehouse, because none can damage it. */
import { afterAll } from 'vitest'
import { cookies } from './security/cookies'
import { edge } from './security/edge'
import { openEstate } from './security/estate'
import { hostile } from './security/hostile'
import { foreignIds } from './security/ids'
import { invitations } from './security/invitations'
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
invitations(estate)
cookies(estate)
edge(estate)
origins(estate)
matrix(estate)
methods(estate)
redirects(estate)
mixing(estate)
weight(estate)
hostile(estate)
// Runs last, because it searches all answers of the other tests.
leaks(estate)
