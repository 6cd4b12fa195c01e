import { useNavigate, useRouterState } from '@tanstack/react-router'
import { ChevronsUpDown, Smartphone } from 'lucide-react'
import { useState } from 'react'
import { findPlace } from '../../api/places.js'
import { Avatar } from '../../components/avatar.js'
import { makeLate } from '../../components/late.js'
import { useWasTrue } from '../../components/use-was-true.js'
import { showUnseen } from '../../format/visible.js'
import { isAdmin } from '../../hooks/use-fleet.js'
import { useWords } from '../../words/index.js'
import type { ChosenInstance } from './use-chosen.js'

const ChooserPopup = makeLate(async () => (await import('./chooser-popup.js')).ChooserPopup, { isAhead: true })

const DOTS = { connected: 'bg-good', connecting: 'bg-busy', disconnected: 'bg-muted' } as const

interface InstanceChooserProps {
  readonly chosen: ChosenInstance | undefined
  readonly isSmall?: boolean
}

/** The instance whose pages are shown. An administrator chooses another one here. */
export function InstanceChooser({ chosen, isSmall = false }: InstanceChooserProps) {
  const words = useWords()
  const navigate = useNavigate()
  const page = useRouterState({ select: ({ location }) => findPlace(location.pathname)?.page ?? '' })
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const wasOpen = useWasTrue(anchor !== null)
  const name = chosen === undefined ? words.chooseInstance : showUnseen(chosen.name) || chosen.id
  const look = <Chosen chosen={chosen} name={name} isSmall={isSmall} />
  if (!isAdmin()) return <div className="flex min-w-0 items-center gap-2.5 p-1.5">{look}</div>
  return (
    <>
      <button
        type="button"
        className="flex w-full min-w-0 items-center gap-2.5 rounded-lg p-1.5 text-start hover:bg-hover aria-expanded:bg-hover"
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        title={isSmall ? name : undefined}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
      >
        {look}
        {isSmall ? null : <ChevronsUpDown size={16} aria-hidden className="shrink-0 text-muted" />}
      </button>
      {wasOpen ? (
        <ChooserPopup
          anchor={anchor}
          chosen={chosen?.id}
          onClose={() => setAnchor(null)}
          onChoose={(id) => {
            setAnchor(null)
            void navigate({ to: `/instances/${id}${page === '' ? '' : `/${page}`}` })
          }}
        />
      ) : null}
    </>
  )
}

function Chosen({ chosen, name, isSmall }: InstanceChooserProps & { readonly name: string }) {
  const words = useWords()
  const status = chosen?.status
  return (
    <>
      <span className="relative shrink-0">
        {chosen === undefined ? (
          <span className="inline-flex size-7 items-center justify-center rounded-full bg-sunken text-muted">
            <Smartphone size={16} aria-hidden />
          </span>
        ) : (
          <Avatar name={name} size="small" />
        )}
        {status === undefined ? null : (
          <span
            className={`absolute -right-0.5 -bottom-0.5 size-2.5 rounded-full border-2 border-surface ${DOTS[status]}`}
          />
        )}
      </span>
      <span className={isSmall ? 'sr-only' : 'grid min-w-0 flex-1'}>
        <bdi className="truncate font-semibold">{name}</bdi>
        {status === undefined ? null : (
          <span className="truncate text-xs text-muted" role="status">
            {words.status[status]}
          </span>
        )}
      </span>
    </>
  )
}
