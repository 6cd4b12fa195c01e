import { spawn } from 'node:child_process'

export interface BrowserPlace {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  /** Starts a program; `onError` is called when there is none. */
  readonly start: (program: string, args: readonly string[], onError: () => void) => void
}

const OPENERS: Partial<Record<NodeJS.Platform, readonly [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}
const DESKTOP_OPENER = ['xdg-open'] as const
const NO_BROWSER = 'No browser can be opened here: open the address of the dashboard yourself.\n'

/** Opens the address in the person's browser, or calls `say` with a sentence where there is none. */
export function openBrowser(url: string, say: (sentence: string) => void, place: BrowserPlace = thisMachine): void {
  const { platform, env, start } = place
  const hasDesktop = OPENERS[platform] !== undefined || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)
  if (!hasDesktop) {
    say(NO_BROWSER)
    return
  }
  const [program, ...args] = OPENERS[platform] ?? DESKTOP_OPENER
  start(program, [...args, url], () => say(NO_BROWSER))
}

const thisMachine: BrowserPlace = {
  platform: process.platform,
  env: process.env,
  start(program, args, onError) {
    const child = spawn(program, args, { detached: true, stdio: 'ignore' })
    child.once('error', onError)
    child.once('exit', (status) => {
      if (status !== 0) onError()
    })
    child.unref()
  },
}
