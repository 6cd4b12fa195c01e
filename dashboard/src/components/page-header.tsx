import type { ReactNode } from 'react'

interface PageHeaderProps {
  readonly title: ReactNode
  /** One line on what the page is for. */
  readonly about?: ReactNode
  /** Id of the title, for what it names. */
  readonly titleId?: string
  /** The main action of the page, and what else belongs to all of it. */
  readonly children?: ReactNode
}

/** Title of a page, what it is for, and its main action. */
export function PageHeader({ title, about, titleId, children }: PageHeaderProps) {
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
      <div className="min-w-0 flex-[1_1_18rem]">
        <h1 id={titleId}>{title}</h1>
        {about === undefined ? null : <p className="mt-0.5 text-muted">{about}</p>}
      </div>
      {children === undefined ? null : <div className="flex flex-wrap items-center gap-2">{children}</div>}
    </div>
  )
}
