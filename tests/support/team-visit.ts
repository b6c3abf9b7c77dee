/** A running Gatehouse with its owner in a browser, and members who join it in browsers of their own. */
import type { BrowserContextOptions, Page } from 'playwright-core'
import { openChromium, type Visitor } from './chromium'
import { type Gatehouse, makeStartedPlace, type Place, startGatehouse } from './gatehouse-process'
import type { PortalVisitor } from './portal-visitor'
import { joinQuickly, setUpQuickly } from './quick-set-up'

export type Member = { page: Page; person: PortalVisitor }

export type TeamVisit = AsyncDisposable & {
  place: Place
  gatehouse: Gatehouse
  visitor: Visitor
  /** The owner's. */
  page: Page
  /** Without the browser. */
  owner: PortalVisitor
  /** A new member in a browser of their own, at no page yet. The address is made from the name. */
  join(name: string, role: string, options?: BrowserContextOptions): Promise<Member>
}

/** settings: of Gatehouse itself. */
export async function visitTeam(settings: Readonly<Record<string, string>> = {}): Promise<TeamVisit> {
  const place = await makeStartedPlace(settings)
  const gatehouse = await startGatehouse(place)
  const visitor = await openChromium()
  const { page } = visitor
  const close = async () => {
    await visitor[Symbol.asyncDispose]()
    await gatehouse[Symbol.asyncDispose]()
    place[Symbol.dispose]()
  }
  try {
    const owner = await setUpQuickly(page, place, gatehouse)
    const join: TeamVisit['join'] = async (name, role, options) => {
      const theirs = await visitor.another(options)
      return { page: theirs, person: await joinQuickly(theirs, place, gatehouse, owner, { name, role }) }
    }
    return { place, gatehouse, visitor, page, owner, join, [Symbol.asyncDispose]: close }
  } catch (error) {
    await close()
    throw error
  }
}
