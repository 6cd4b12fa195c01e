/** Walks through a page by the keyboard alone, as people do who cannot use a mouse. */
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'

/** Stops on a page before the target counts as out of reach. */
const STOPS_MAX = 150

/** Presses Tab until the element has the focus. Fails if a stop on the way has no visible mark, or the element cannot be reached. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let stop = 0; stop < STOPS_MAX; stop += 1) {
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return
    await page.keyboard.press('Tab')
    const unmarked = await page.evaluate<string>(UNMARKED)
    assert.equal(unmarked, '', 'the focus is visible')
  }
  assert.fail(`${String(target)} cannot be reached by Tab`)
}

/** Fails if no element of the page has the focus: a person with a keyboard would begin at the top again. */
export async function assertFocused(page: Page): Promise<void> {
  assert.notEqual(await page.evaluate('document.activeElement?.tagName ?? "BODY"'), 'BODY', 'the focus is lost')
}

/** Names the focused element if nothing shows its focus; the end of the page, where the browser itself has the focus, is none. */
const UNMARKED = `(() => {
  const element = document.activeElement
  if (element === null || element === document.body) return ''
  const shows = (one) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one)
    return (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none'
  }
  return shows(element) || (element.parentElement !== null && shows(element.parentElement)) ? '' : element.outerHTML.slice(0, 200)
})()`
