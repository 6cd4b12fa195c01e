import { Toast as Parts } from '@base-ui/react/toast'
import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useWords } from '../words/index.js'
import { makeButtonLook } from './button.js'
import { useNewestToast } from './toast.js'

/** Time for which a toast is seen, unless the pointer or the focus is on it. */
const SHOWN_MS = 6_000

/** Draws the toasts. Its code loads with the first one. */
export function Toasts() {
  return (
    <Parts.Provider timeout={SHOWN_MS} limit={3}>
      <Parts.Portal>
        <Parts.Viewport className="fixed right-4 bottom-4 z-30 grid w-[min(24rem,calc(100vw-2rem))] gap-2 max-md:bottom-20">
          <List />
        </Parts.Viewport>
      </Parts.Portal>
    </Parts.Provider>
  )
}

function List() {
  const words = useWords()
  const newest = useNewestToast()
  const shown = useRef(0)
  const { toasts, add, close } = Parts.useToastManager()
  useEffect(() => {
    if (newest === undefined || newest.id <= shown.current) return
    shown.current = newest.id
    const { undo } = newest
    const id = add({
      title: newest.text,
      ...(undo === undefined
        ? {}
        : {
            actionProps: {
              children: undo.word,
              onClick: () => {
                undo.run()
                close(id)
              },
            },
          }),
    })
  }, [newest, add, close])
  return toasts.map((toast) => (
    <Parts.Root
      key={toast.id}
      toast={toast}
      className="flex items-center gap-2 rounded-xl border border-line bg-raised py-2 pr-2 pl-4 shadow-pop transition-all data-[ending-style]:opacity-0 data-[starting-style]:translate-y-2 data-[starting-style]:opacity-0"
    >
      <Parts.Content className="flex min-w-0 flex-1 items-center gap-2">
        <Parts.Title className="min-w-0 flex-1 text-base font-normal" />
        {toast.actionProps === undefined ? null : (
          <Parts.Action className={makeButtonLook({ look: 'plain', size: 'small' })} />
        )}
      </Parts.Content>
      <Parts.Close
        className="inline-flex size-8 shrink-0 items-center justify-center rounded-md text-muted hover:bg-hover"
        aria-label={words.close}
      >
        <X size={16} aria-hidden />
      </Parts.Close>
    </Parts.Root>
  ))
}
