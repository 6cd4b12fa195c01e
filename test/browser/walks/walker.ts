import type { Page } from 'playwright-core'
import type { TestBrowser } from '../../support/browser.js'
import type { Cleanup } from '../../support/cleanup.js'
import type { Receiver } from '../../support/receiver.js'
import { openSignedIn } from '../../support/sign-in.js'
import type { TestInstance, World } from '../../support/world.js'

export const SHOP = '5511999990001'
export const ANA = '5511999990002'
export const BEN = '5511999990003'
export const ANAS_CHAT = `${ANA}@s.whatsapp.net`

/** Steps that the walks of `keyboard.browser.ts` share. */
export interface Walker {
  readonly world: World
  readonly browser: TestBrowser
  readonly receiver: Receiver
  readonly shop: TestInstance
}

/** Opens a page of the shop, a path below it, with its token. */
export async function openShop(t: Cleanup, { browser, world, shop }: Walker, path: string): Promise<Page> {
  const session = await browser.session(t, world.gateway.url)
  await openSignedIn(session, world.gateway, `/instances/${shop.id}${path}`, shop.token)
  return session.page
}
