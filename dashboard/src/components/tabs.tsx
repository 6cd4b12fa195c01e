import { Tabs as Parts } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'

interface Tab {
  readonly value: string
  readonly word: string
  readonly panel: ReactNode
}

interface TabsProps {
  readonly label: string
  readonly tabs: readonly Tab[]
  /** The tab that is shown first. */
  readonly first: string
  /** What stands between the tabs and every panel. */
  readonly children?: ReactNode
}

/** Panels of which one is seen. Views with an address of their own are `Choices` instead. */
export function Tabs({ label, tabs, first, children }: TabsProps) {
  return (
    <Parts.Root defaultValue={first} className="grid gap-4">
      <Parts.List className="flex flex-wrap gap-1 border-b border-line" aria-label={label}>
        {tabs.map(({ value, word }) => (
          <Parts.Tab
            key={value}
            value={value}
            className="-mb-px min-h-control border-b-2 border-transparent px-3 py-1 text-muted hover:text-text aria-selected:border-accent aria-selected:font-medium aria-selected:text-text"
          >
            {word}
          </Parts.Tab>
        ))}
      </Parts.List>
      {children}
      {tabs.map(({ value, panel }) => (
        <Parts.Panel key={value} value={value} className="grid gap-4">
          {panel}
        </Parts.Panel>
      ))}
    </Parts.Root>
  )
}
