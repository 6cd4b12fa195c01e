/**
 * A real browser for tests of pages. Each page has a session of its own and is watched: its test fails when the page writes an error to the
 * console, leaves an error or a rejection unhandled, breaks its Content-Security-Policy, or asks another host for anything.
 */
import assert from 'node:assert/strict'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { OperatorError } from '../../schemas/operator-error.js'
import { findChromium, HOW_TO_GET_ONE } from './chromium-program.js'
import type { Cleanup } from './cleanup.js'
import { PATIENCE_MS } from './eventually.js'
import { within } from './waits.js'

const program = await findChromium()
if (program === undefined && process.env.CI !== undefined) throw new OperatorError(`CI is set, and ${HOW_TO_GET_ONE}.`)

/** For the `skip` of a suite: false where there is a browser, else the reason. */
export const withoutBrowser: string | false = program === undefined ? HOW_TO_GET_ONE : false

/** Time for an element to appear, on a machine that does much else. */
const WAIT_MS = PATIENCE_MS
/** Maximum of characters that are printed of a page whose test failed. */
const SHOWN_MAX = 4_000

export interface Session {
  readonly page: Page
  /** Opens another page in the same session: it shares cookies and local storage, not session storage. */
  newPage(): Promise<Page>
  /** From now on console errors that match are not faults, such as what Chromium says of an answer 401. */
  expect(consoleError: RegExp): void
}

export interface TestBrowser {
  /**
   * Opens an empty page that may talk to `origin` only. What went wrong in it fails `t` in the end.
   * `isTimed`: requests are not watched, since each would pass through this process, and the browser would keep no file.
   */
  session(t: Cleanup, origin: string, options?: { readonly isTimed?: boolean }): Promise<Session>
}

/** Call it where `withoutBrowser` is false. */
export async function startBrowser(t: Cleanup): Promise<TestBrowser> {
  if (program === undefined) throw new OperatorError(HOW_TO_GET_ONE)
  const browser = await chromium.launch({
    executablePath: program.program,
    timeout: WAIT_MS,
    env: definedOnly(program.environment),
    // Root has no sandbox in Chromium.
    chromiumSandbox: process.getuid?.() !== 0,
    args: ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
  })
  t.after(() => within('The end of the browser', browser.close()))
  return { session: (test, origin, { isTimed = false } = {}) => openSession(test, browser, origin, isTimed) }
}

async function openSession(t: Cleanup, browser: Browser, origin: string, isTimed: boolean): Promise<Session> {
  const context = await browser.newContext({ locale: 'en-US', timezoneId: 'UTC' })
  const watch = createWatch(origin, isTimed)
  t.after(async () => {
    if ('passed' in t && t.passed === false) await tellPages(context)
    await context.close()
    assert.deepEqual(watch.faults(), [], 'what went wrong in the browser')
  })
  context.setDefaultTimeout(WAIT_MS)
  await watch.follow(context)
  const newPage = () => context.newPage()
  return { page: await newPage(), newPage, expect: watch.expect }
}

/** Prints what the pages of a failed test show, since a wait that timed out does not say what was there instead. */
async function tellPages(context: BrowserContext): Promise<void> {
  for (const page of context.pages()) {
    const text = await page.locator('body').innerText({ timeout: 5_000 }).catch(String)
    process.stderr.write(`What ${page.url()} showed:\n${text.slice(0, SHOWN_MAX)}\n`)
  }
}

interface Watch {
  follow(context: BrowserContext): Promise<void>
  expect(consoleError: RegExp): void
  faults(): string[]
}

function createWatch(origin: string, isTimed: boolean): Watch {
  const errors: string[] = []
  const faults: string[] = []
  const expected: RegExp[] = []
  return {
    expect: (error) => void expected.push(error),
    faults: () => [...faults, ...errors.filter((text) => !expected.some((form) => form.test(text)))],
    async follow(context) {
      context.on('console', (message) => {
        if (message.type() === 'error') errors.push(`console: ${message.text()} (${message.location().url})`)
      })
      // Unhandled rejections too.
      context.on('weberror', (error) => void faults.push(`uncaught: ${error.error().stack ?? error.error().message}`))
      await context.exposeFunction('posthornPolicyBroken', (what: string) => void faults.push(`policy: ${what}`))
      await context.addInitScript(`addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
        posthornPolicyBroken(violatedDirective + ' of ' + blockedURI))`)
      if (isTimed) return
      await context.route(
        (url) => isElsewhere(url),
        async (route) => {
          faults.push(`another host: ${route.request().url()}`)
          await route.abort()
        },
      )
      await context.routeWebSocket(
        (url) => isElsewhere(new URL(url.href.replace(/^ws/, 'http'))),
        async (socket) => {
          faults.push(`another host: ${socket.url()}`)
          await socket.close()
        },
      )
    },
  }

  function isElsewhere(url: URL): boolean {
    return /^https?:$/.test(url.protocol) && url.origin !== origin
  }
}

function definedOnly(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}
