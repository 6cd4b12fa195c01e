import { type ComponentType, useEffect, useState } from 'react'
import { loadFile } from '../api/new-build.js'
import { useWords } from '../words/index.js'
import { Failure } from './failure.js'
import { runWhenIdle } from './when-idle.js'

/** Time after which the page says that something loads. */
const SLOW_MS = 200

interface LateOptions {
  /** True: it loads when the page that may need it is idle. */
  readonly isAhead?: boolean
}

/** `preload` asks for its code before it is drawn. */
export type LateComponent<Props extends object> = ComponentType<Props> & { preload(): void }

/**
 * Returns a component whose code loads when it is drawn first, so that a page opens without it. If the code does not come, a button tries again;
 * what else is on the page stays as long as the gateway is away.
 */
export function makeLate<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { isAhead = false }: LateOptions = {},
): LateComponent<Props> {
  let Part: ComponentType<Props> | undefined
  const take = (part: ComponentType<Props>) => {
    Part = part
  }
  // A file that does not come ahead is asked for again when it is drawn.
  const preload = () => void load().then(take, () => undefined)
  if (isAhead) runWhenIdle(preload)

  return Object.assign(Late, { preload })

  function Late(props: Props) {
    const [tries, setTries] = useState(1)
    const [state, setState] = useState<'loading' | 'slow' | 'loaded' | Error>('loading')
    const isLoaded = Part !== undefined
    useEffect(() => {
      if (isLoaded) return undefined
      let isShown = true
      const show = (next: typeof state) => {
        if (isShown) setState(next)
      }
      setState('loading')
      const timer = setTimeout(() => show('slow'), SLOW_MS)
      void loadFile(load, tries > 1)
        .then((part) => {
          take(part)
          show('loaded')
        }, show)
        .finally(() => clearTimeout(timer))
      return () => {
        isShown = false
        clearTimeout(timer)
      }
    }, [isLoaded, tries])
    if (Part !== undefined) return <Part {...props} />
    if (state instanceof Error) return <Failure error={state} onRetry={() => setTries(tries + 1)} />
    return state === 'slow' ? <Loading /> : null
  }
}

function Loading() {
  const words = useWords()
  return <p role="status">{words.loading}</p>
}
