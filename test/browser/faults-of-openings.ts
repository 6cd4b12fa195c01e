import type { Page } from 'playwright-core'
import { findingsInBothThemes } from '../support/axe.js'
import { eventually } from '../support/eventually.js'
import { cutOffOf } from '../support/page-fit.js'
import { goTo } from '../support/sign-in.js'
import type { Opening } from './openings.js'
import type { Shown } from './page-list.js'

export const NARROW = { width: 360, height: 740 }
export const WIDE = { width: 1280, height: 800 }

/** Opens each dialog and menu by the keyboard, and returns what is wrong with them. */
export async function faultsOfOpenings(page: Page, openings: readonly Opening[], shown: Shown): Promise<string[]> {
  const found: string[] = []
  let place = ''
  for (const opening of openings) {
    const path = opening.path(shown)
    if (path !== place) await goTo(page, path)
    place = path
    found.push(...(await listFaults(page, opening)))
  }
  return found
}

async function listFaults(page: Page, opening: Opening): Promise<string[]> {
  const { name, opener, shown, entry, prepare, fill } = opening
  await prepare?.(page)
  const button = opener(page)
  await button.waitFor()
  const popups = page.locator(`[role=${shown}]`)
  // Openings inside a dialog come after it.
  const popup = popups.nth(await popups.count())
  const open = async () => {
    await button.focus()
    await button.scrollIntoViewIfNeeded()
    await page.keyboard.press('Enter')
    if (entry !== undefined) await page.getByRole('menuitem', { name: entry, exact: true }).press('Enter')
    await popup.waitFor()
    await fill?.(popup, page)
  }
  const close = async () => {
    await page.keyboard.press('Escape')
    await popup.waitFor({ state: 'detached' })
  }
  await open()
  const found = await findingsInBothThemes(page, name, `[role=${shown}]`)
  const isInside = await popup.evaluate((part) => part.contains(part.ownerDocument.activeElement))
  if (!isInside) found.push(`${name} does not take the focus`)
  const look = async () => {
    // A menu stands where its button is, which another size can move out of sight.
    if (shown === 'menu') await close().then(open)
    return cutOffOf(page, shown)
  }
  for (const [size, fault] of await inBothSizes(page, look)) found.push(`${name} is cut off ${size}: ${fault}`)
  await close()
  const isBack = () => button.evaluate((element) => element === element.ownerDocument.activeElement)
  await eventually(isBack).catch(() => found.push(`${name} does not give the focus back`))
  for (let outer = await popups.count(); outer > 0; outer -= 1) {
    await page.keyboard.press('Escape')
    await popups.nth(outer - 1).waitFor({ state: 'detached' })
  }
  return found
}

/** Looks with text of 200 %, and in a window of 360 px; returns what is wrong in which of them. */
export async function inBothSizes(page: Page, look: () => Promise<string>): Promise<(readonly [string, string])[]> {
  await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
  const large = await look()
  await page.evaluate(`document.documentElement.style.fontSize = ''`)
  await page.setViewportSize(NARROW)
  const narrow = await look()
  await page.setViewportSize(WIDE)
  const sizes = [
    ['with text of 200 %', large],
    ['at 360 px', narrow],
  ] as const
  return sizes.filter(([, fault]) => fault !== '')
}
