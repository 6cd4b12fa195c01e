import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Session } from './browser.js'
import { eventually } from './eventually.js'
import type { Gateway } from './gateway.js'

const LOADED_WITHIN_MS = 30_000

type Front = Pick<Gateway, 'call' | 'url'>

/** Opens a page of the dashboard, a path below `/dashboard`, signed in by a link: as the administrator, or with the token of an instance. */
export async function openSignedIn(
  { page, expect }: Session,
  gateway: Front,
  path: string,
  token?: string,
): Promise<void> {
  const who = token === undefined ? { admin: true } : { token }
  const made = await gateway.call<{ code: string }>('POST', '/pass/code', { ...who, body: {} })
  assert.equal(made.status, 200, JSON.stringify(made.body))
  // A code is tried as the administrator's first.
  if (token !== undefined) expect(/status of 401 .*\/pass\)$/)
  await page.goto(`${gateway.url}/dashboard${path}#welcome=${made.body.code}`)
  await page.getByRole('button', { name: /^Your menu/ }).waitFor()
}

/** Signs out as a person does, by the menu with their name. */
export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Your menu/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}

/** Goes to another page of the dashboard as a click on a link does, which takes less time than a load. */
export async function goTo(page: Page, path: string): Promise<void> {
  // A page that has just been opened has none yet.
  await eventually(() => page.evaluate(`'__TSR_ROUTER__' in window`), Boolean, LOADED_WITHIN_MS)
  await page.evaluate(`__TSR_ROUTER__.navigate({ href: ${JSON.stringify(`/dashboard${path}`)} })`)
}
