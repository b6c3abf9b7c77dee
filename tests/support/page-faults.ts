/** Faults of a page: accessibility rules that it breaks, and horizontal overflow. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

export async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(standStill)
  // For a moment after a link was followed, the former title is gone and the next is not there yet.
  await expect.poll(() => page.title()).not.toBe('')
  // Toasts are translucent while they appear and disappear, so they are excluded.
  const { violations } = await new AxeBuilder({ page })
    .exclude('[data-sonner-toaster]')
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze()
  return [
    ...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`),
    ...(await overflowOf(page)),
  ]
}

/**
 * Resolves once no transition runs and none begins within two frames: halfway between two themes, no colour is final. A change of theme
 * that a script makes begins its transitions a frame later.
 */
async function standStill(): Promise<void> {
  for (;;) {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const running = document.getAnimations().filter((each) => each instanceof CSSTransition && each.playState === 'running')
    if (running.length === 0) return
    await Promise.allSettled(running.map(({ finished }) => finished))
  }
}

/** How much wider the page is than its window. */
export async function overflowOf(page: Page): Promise<string[]> {
  const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
  return overflow === 0 ? [] : [`${overflow} px too wide`]
}

/** On a phone in dark and on a desktop in light, in which it leaves the page. */
export async function faultsInAllLooks(page: Page): Promise<string[]> {
  const found: string[] = []
  const looks = [
    [390, 'dark'],
    [1366, 'light'],
  ] as const
  for (const [width, colorScheme] of looks) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    found.push(...(await faultsOf(page)).map((fault) => `${width} ${colorScheme} ${fault}`))
  }
  return found
}
