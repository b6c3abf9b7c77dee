/** A Gatehouse of its own with one sandbox server, and its owner in front of it in a browser. */
import type { Page } from 'playwright-core'
import { openChromium, type Visitor } from './chromium'
import { type Gatehouse, makeStartedPlace, type Place, startGatehouse } from './gatehouse-process'
import { setUpQuickly } from './quick-set-up'

export type SandboxVisit = AsyncDisposable & {
  place: Place
  gatehouse: Gatehouse
  visitor: Visitor
  page: Page
  /** The server's id in the portal. */
  id: string
}

/** Arrives at the overview of the server, which is called `name`. settings: of Gatehouse itself. */
export async function visitSandbox(name: string, settings: Readonly<Record<string, string>> = {}): Promise<SandboxVisit> {
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
    const id = await owner.addSandbox(name)
    await page.goto(`${gatehouse.url}/servers/${id}`)
    return { place, gatehouse, visitor, page, id, [Symbol.asyncDispose]: close }
  } catch (error) {
    await close()
    throw error
  }
}
