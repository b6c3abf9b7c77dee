/** A real browser. Collects violations of the content security policy and errors on the page's console. */
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

/** The path of the installed browser. Throws if there is none. */
export function chromiumPath(): string {
  const path = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((name) => existsSync(name))
  if (!path) throw new Error('No Chromium is installed: apt-get install chromium')
  return path
}

const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export type Visitor = AsyncDisposable & {
  browser: Browser
  context: BrowserContext
  page: Page
  /** Policy violations, uncaught errors, and console errors other than failed loads. */
  complaints: string[]
  /** Opens a window of another user in the same browser. */
  another(options?: BrowserContextOptions): Promise<Page>
}

/** Opens a context. Complaints of its pages go to `complaints`. */
async function openContext(browser: Browser, complaints: string[], options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1366, height: 900 }, ...options })
  context.setDefaultTimeout(20_000)
  context.on('weberror', (error) => complaints.push(error.error().message))
  context.on('console', (message) => {
    // Some tests make loads fail on purpose; the page has to handle that.
    const isLoad = /^Failed to (load resource|fetch RSC payload)/.test(message.text())
    if (message.type() === 'error' && !isLoad) complaints.push(message.text())
  })
  return context
}

const launch = (...more: readonly string[]) =>
  chromium.launch({ executablePath: chromiumPath(), headless: true, args: [...quiet, ...more] })

/** The browser shared by the test files of one worker; each test uses separate contexts. It ends with the worker. */
let shared: Promise<Browser> | undefined

/** Launches again if the browser has crashed or could not be launched. */
function borrow(): Promise<Browser> {
  shared = (shared ?? launch()).then(
    (running) => (running.isConnected() ? running : launch()),
    () => launch(),
  )
  return shared
}

/** Opens a browser with one window. */
export async function openChromium(options: BrowserContextOptions = {}): Promise<Visitor> {
  const isWorker = process.env.VITEST !== undefined
  return openVisitor(await (isWorker ? borrow() : launch()), !isWorker, options)
}

/** The same in a browser of its own, in which names that end in this domain lead to this address. */
export async function openChromiumAt(domain: string, address: string, options: BrowserContextOptions = {}): Promise<Visitor> {
  const rules = [domain, `*.${domain}`].map((name) => `MAP ${name} ${address}`)
  return openVisitor(await launch(`--host-resolver-rules=${rules.join(',')}`), true, options)
}

async function openVisitor(browser: Browser, isOwn: boolean, options: BrowserContextOptions): Promise<Visitor> {
  const complaints: string[] = []
  const contexts: BrowserContext[] = []
  const open = async (more: BrowserContextOptions) => {
    const context = await openContext(browser, complaints, more)
    contexts.push(context)
    return context
  }
  const context = await open(options)
  const page = await context.newPage()
  return {
    browser,
    context,
    page,
    complaints,
    another: async (more = {}) => (await open(more)).newPage(),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(contexts.map((each) => each.close()))
      if (isOwn) await browser.close()
    },
  }
}
