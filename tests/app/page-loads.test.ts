/** A page that the portal does not answer is not left for the browser's error page. */
import { expect, test, vi } from 'vitest'
import { holdLoads } from '@/app/_shared/opening/opening-page'

const address = 'https://gatehouse.example/servers'

type Begun = Partial<Pick<NavigateEvent, 'userInitiated' | 'hashChange' | 'downloadRequest' | 'navigationType' | 'cancelable'>>

/** A browser that begins loads, and how it came out. */
function visit(isReachable: boolean) {
  let listener: ((event: NavigateEvent) => void) | null = null
  const navigate = vi.fn((url: string, { history }: { history: string }) => begin({ navigationType: history as 'push' }, url))
  const onLost = vi.fn()
  const loads = {
    addEventListener: (_: string, added: (event: NavigateEvent) => void) => {
      listener = added
    },
    removeEventListener: () => {
      listener = null
    },
    navigate,
  }
  const end = holdLoads(loads as never, async () => isReachable, onLost)
  function begin(begun: Begun = {}, url = address, sameDocument = false): boolean {
    let prevented = false
    const usual = { cancelable: true, userInitiated: false, hashChange: false, downloadRequest: null, navigationType: 'push' }
    const preventDefault = () => {
      prevented = true
    }
    listener?.({ ...usual, ...begun, destination: { url, sameDocument }, preventDefault } as unknown as NavigateEvent)
    return !prevented
  }
  return { begin, end, navigate, onLost }
}

test('a load that a script begins waits for the portal, and begins as it would have', async () => {
  const { begin, navigate, onLost } = visit(true)
  expect(begin({ navigationType: 'replace' })).toBe(false)
  await vi.waitFor(() => expect(navigate).toHaveBeenCalledExactlyOnceWith(address, { history: 'replace' }))
  expect(navigate).toHaveReturnedWith(true)
  expect(onLost).not.toHaveBeenCalled()
})

test('if the portal is unreachable, the page stays, and the frame learns it', async () => {
  const { begin, navigate, onLost } = visit(false)
  expect(begin()).toBe(false)
  await vi.waitFor(() => expect(onLost).toHaveBeenCalledOnce())
  expect(navigate).not.toHaveBeenCalled()
})

test.each<[string, Begun]>([
  ['a link or form that the user used', { userInitiated: true }],
  ['Back', { navigationType: 'traverse' }],
  ['a reload', { navigationType: 'reload' }],
  ['a download', { downloadRequest: 'activity.csv' }],
  ['a place on this page', { hashChange: true }],
  ['what cannot be stopped', { cancelable: false }],
])('%s is left to the browser', (_, begun) => {
  expect(visit(false).begin(begun)).toBe(true)
})

test('what stays in this document is left to Next, and everything once the frame is gone', () => {
  const { begin, end } = visit(false)
  expect(begin({}, address, true)).toBe(true)
  end()
  expect(begin()).toBe(true)
})
