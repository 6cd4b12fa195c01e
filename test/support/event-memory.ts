/** Feeds a page with events faster than any instance makes them, and measures the memory that stays. */
import type { Page } from 'playwright-core'
import { eventually } from './eventually.js'

/** Seconds in which the page fills its bounded lists. */
const WARM_UP_SECONDS = 4
/** A busy machine may be so many times slower. */
const TIMES_SLOWER = 10

/** Replaces the stream of the page by one of made events. Call it before the page opens. */
export async function feedEvents(page: Page, perSecond: number): Promise<void> {
  await page.addInitScript(`{
    const real = globalThis.fetch
    const line = (number) => 'data: ' + JSON.stringify({
      EventType: number % 2 === 0 ? 'messages' : 'presence', number,
      message: { text: 'Event ' + number + ' ' + 'x'.repeat(600), chatid: '5511999990002@s.whatsapp.net' },
    }) + '\\n\\n'
    globalThis.fetch = (url, init) => {
      if (!String(url).includes('/sse?')) return real(url, init)
      let number = 0
      let timer
      const body = new ReadableStream({
        start(controller) {
          timer = setInterval(() => {
            let text = ''
            for (let count = 0; count < ${perSecond / 20}; count += 1) text += line(number += 1)
            controller.enqueue(new TextEncoder().encode(text))
          }, 50)
        },
        cancel() { clearInterval(timer) },
      })
      return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }))
    }
  }`)
}

/** Returns how many bytes the page holds after a collection. */
export async function heldBytes(page: Page): Promise<number> {
  const protocol = await page.context().newCDPSession(page)
  await protocol.send('HeapProfiler.collectGarbage')
  const { usedSize } = await protocol.send('Runtime.getHeapUsage')
  await protocol.detach()
  return usedSize
}

/** Returns how many bytes more the page holds after so many seconds, each after a collection. */
export async function growthOver(page: Page, seconds: number, perSecond: number): Promise<number> {
  const shown = async () => Number(/(\d+) came/.exec(await page.locator('main').innerText())?.[1])
  const came = (count: number) =>
    eventually(shown, (now) => now >= count, (seconds + WARM_UP_SECONDS) * TIMES_SLOWER * 1_000)
  await came(WARM_UP_SECONDS * perSecond)
  const before = await heldBytes(page)
  await came((WARM_UP_SECONDS + seconds) * perSecond)
  return (await heldBytes(page)) - before
}
