/** Pictures of pages: takes them, and compares them with recorded ones where browser and fonts are those of the record. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { eventually } from './eventually.js'

/** True: pictures are recorded, and not compared. */
export const isRecording = process.env.POSTHORN_TEST_PICTURES === 'write'

/** Part of the pixels that may differ. */
const DIFFERENT_MAX = 0.001
/** Difference of a colour by which a pixel counts as another one. */
const SAME_WITHIN = 16

export const WINDOWS = { desk: { width: 1_280, height: 800 }, phone: { width: 360, height: 740 } } as const

export interface Album {
  /** Says whether pictures are compared, and with which. */
  readonly note: string
  /** Takes the page as a picture. @throws AssertionError if it differs from the recorded one of this name */
  look(page: Page, name: string, how?: Look): Promise<void>
}

export interface Look {
  /** True: what lies below the window too. */
  readonly isWhole?: boolean
  /** Width to which the picture is reduced, in pixels: a smaller record shows the same layout. */
  readonly width?: number
  /** Makes what changes from run to run the same, before each try. */
  readonly settle?: () => Promise<void>
}

/** Opens the folder of recorded pictures, for pages like this one. */
export async function openAlbum(page: Page, folder: string): Promise<Album> {
  const file = path.join(folder, 'made-by.txt')
  const madeBy = await describeMaker(page)
  if (isRecording) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(file, `${madeBy}\n`)
  }
  const isSame = existsSync(file) && readFileSync(file, 'utf8').trim() === madeBy
  return {
    note: isSame ? 'compared with the pictures' : `not compared: the pictures are not of ${madeBy}`,
    async look(shown, name, { isWhole = false, width, settle } = {}) {
      const recorded = path.join(folder, `${name}.png`)
      const take = async () => {
        await settle?.()
        const taken = await shown.screenshot({ fullPage: isWhole, animations: 'disabled', caret: 'hide' })
        return sharp(taken)
          .resize(width === undefined ? {} : { width })
          .png({ palette: true, compressionLevel: 9, effort: 10 })
          .toBuffer()
      }
      if (isRecording) writeFileSync(recorded, await steady(take))
      else if (isSame) {
        const known = readFileSync(recorded)
        const differs = async () => measureDifference(await take(), known)
        // What a page shows last, such as a count of unread chats, may come after its data.
        await eventually(differs, (part) => part <= DIFFERENT_MAX).catch((error: unknown) =>
          assert.fail(`${name} differs from its picture in this part of its pixels: ${String(error)}`),
        )
      } else await take()
    },
  }
}

/** Takes pictures until two of them are the same. */
async function steady(take: () => Promise<Buffer>): Promise<Buffer> {
  let before = await take()
  return eventually(
    async () => {
      const [former, next] = [before, await take()]
      before = next
      return { former, next }
    },
    ({ former, next }) => former.equals(next),
  ).then(({ next }) => next)
}

/** Returns the version of the browser, and how wide and high the fonts of this machine draw a line. */
async function describeMaker(page: Page): Promise<string> {
  const version = page.context().browser()?.version() ?? ''
  const size = await page.evaluate<string>(`(() => {
    const span = document.createElement('span')
    span.textContent = 'Posthorn 0123456789 çãñ'
    document.body.append(span)
    const { width, height } = span.getBoundingClientRect()
    span.remove()
    return width.toFixed(2) + ' ' + height.toFixed(2)
  })()`)
  return `Chromium ${version}, a line of ${size}`
}

/** Returns the part of the pixels that differ; 1 if the sizes do. */
async function measureDifference(taken: Buffer, recorded: Buffer): Promise<number> {
  const [one, other] = await Promise.all(
    [taken, recorded].map((image) => sharp(image).removeAlpha().raw().toBuffer({ resolveWithObject: true })),
  )
  if (one === undefined || other === undefined || one.data.length !== other.data.length) return 1
  let different = 0
  for (let at = 0; at < one.data.length; at += 3)
    if ([0, 1, 2].some((by) => Math.abs((one.data[at + by] ?? 0) - (other.data[at + by] ?? 0)) > SAME_WITHIN))
      different += 1
  return different / (one.data.length / 3)
}
