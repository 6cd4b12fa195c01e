/** Walks through a page by the keyboard alone, as people do who cannot use a mouse. */
import assert from 'node:assert/strict'
import type { ElementHandle, Locator, Page } from 'playwright-core'
import { eventually } from './eventually.js'

/** Stops on a page before the target counts as out of reach, and the time that what covers it has to go. */
const STOPS_MAX = 200
const REACHED_WITHIN_MS = 60_000
const FOCUS_WITHIN_MS = 30_000
/** A closed list of choices takes the next one by an arrow. */
const CHOICES_MAX = 100

/** Presses Tab until the element has the focus. Fails if a stop on the way has no visible mark, or the element cannot be reached. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await moveTo(page, target, 'Tab')
}

/** Presses the key, such as an arrow in a menu, until the element has the focus. Fails as `tabTo` does. */
export async function moveTo(page: Page, target: Locator, key: string): Promise<void> {
  let element = await shown(target)
  const stops = new Set<string>()
  const deadline = performance.now() + REACHED_WITHIN_MS
  for (let stop = 0; stop < STOPS_MAX || performance.now() < deadline; stop += 1) {
    const { isThere, isGone, unmarked, focused } = await element.evaluate(look)
    stops.add(focused)
    if (stop > 0) assert.equal(unmarked, '', 'the focus is visible')
    if (isThere) return
    // A part that is drawn again has another element in its place, and a row out of sight none until the walk comes near.
    const [now] = isGone ? await target.elementHandles() : []
    if (now === undefined) await page.keyboard.press(key)
    else element = now
  }
  assert.fail(`${String(target)} cannot be reached by ${key}, which leads to ${[...stops].join(', ')}`)
}

/** Reaches the element by Tab, and presses Enter on it. */
export async function pressAt(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press('Enter')
}

/** Reaches the field by Tab, and types over what it has. */
export async function typeAt(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(text)
}

/** Reaches the box by Tab, and turns it on or off. */
export async function turnAt(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target)
  const before = await target.isChecked()
  await page.keyboard.press('Space')
  await eventually(
    () => target.isChecked(),
    (isOn) => isOn !== before,
  )
}

/** Reaches the list of choices by Tab, and takes the one with this value by the arrows. */
export async function chooseAt(page: Page, target: Locator, value: string): Promise<void> {
  await tabTo(page, target)
  for (const key of ['ArrowDown', 'ArrowUp']) {
    let last: string | undefined
    for (let step = 0; step < CHOICES_MAX; step += 1) {
      const now = await target.inputValue()
      if (now === value) return
      if (now === last) break
      last = now
      await page.keyboard.press(key)
    }
  }
  assert.fail(`${String(target)} does not offer ${value} to arrows`)
}

/** Chooses this file in each window of the system that the page opens from now on. */
export function chooseFile(page: Page, file: string): void {
  page.on('filechooser', (chooser) => void chooser.setFiles(file))
}

/** Waits until this element has the focus: a dialog that closes gives it back to what opened it. */
export async function hasFocus(target: Locator, after: string): Promise<void> {
  const isThere = () => target.evaluate((element) => element === element.ownerDocument.activeElement)
  await eventually(isThere, Boolean, FOCUS_WITHIN_MS).catch(() =>
    assert.fail(`the focus is not on ${String(target)} after ${after}`),
  )
}

/** Waits until some element of the page has the focus: it moves after a dialog has closed. */
export async function keepsFocus(page: Page, after: string): Promise<void> {
  const focused = () => page.evaluate<string>('document.activeElement?.tagName ?? "BODY"')
  await eventually(focused, (name) => name !== 'BODY', FOCUS_WITHIN_MS).catch(() =>
    assert.fail(`the focus is lost after ${after}`),
  )
}

/** Fails if no element of the page has the focus: a person with a keyboard would begin at the top again. */
export async function assertFocused(page: Page): Promise<void> {
  assert.notEqual(await page.evaluate('document.activeElement?.tagName ?? "BODY"'), 'BODY', 'the focus is lost')
}

async function shown(target: Locator): Promise<ElementHandle> {
  await target.waitFor()
  const element = await target.elementHandle()
  assert.ok(element !== null)
  return element
}

/**
 * Tells whether the element has the focus, whether it has left the page, and which focused element nothing marks; the end of the page, where
 * the browser itself has the focus, needs no mark. It runs in the page.
 */
function look(target: Element): { isThere: boolean; isGone: boolean; unmarked: string; focused: string } {
  const { activeElement, body, defaultView } = target.ownerDocument
  const shows = (one: Element | null): boolean => {
    if (one === null) return false
    const { outlineStyle, outlineWidth, boxShadow } = defaultView.getComputedStyle(one)
    return (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) || boxShadow !== 'none'
  }
  const isMarked =
    activeElement === null || activeElement === body || shows(activeElement) || shows(activeElement.parentElement)
  return {
    isThere: target === activeElement,
    isGone: !target.isConnected,
    focused: activeElement === null ? '' : activeElement.outerHTML.slice(0, 60),
    unmarked: isMarked ? '' : activeElement.outerHTML.slice(0, 200),
  }
}

/** As much of an element of a page as is looked at. */
interface Element {
  readonly isConnected: boolean
  readonly outerHTML: string
  readonly parentElement: Element | null
  readonly ownerDocument: {
    readonly activeElement: Element | null
    readonly body: Element
    readonly defaultView: {
      getComputedStyle(one: Element): {
        readonly outlineStyle: string
        readonly outlineWidth: string
        readonly boxShadow: string
      }
    }
  }
}
