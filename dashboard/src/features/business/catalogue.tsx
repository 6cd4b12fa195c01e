import { useId, useState } from 'react'
import type { CatalogProduct } from '../../../../schemas/generated.js'
import { buildShownCall } from '../../api/shown-call.js'
import { Button } from '../../components/button.js'
import { Confirm } from '../../components/confirm.js'
import { DataTable } from '../../components/data-table.js'
import { Dialog } from '../../components/dialog.js'
import { Failure } from '../../components/failure.js'
import { Card } from '../../components/notice.js'
import { showUnseen } from '../../format/visible.js'
import { mayConnect } from '../../hooks/use-instance.js'
import { type Scope, useRead, useWrite } from '../../hooks/use-operation.js'
import { useBusinessWords } from '../../words/business.js'
import { type Language, useLanguage, useWords } from '../../words/index.js'
import { ProductForm } from './product-form.js'

const PAGE = 50

/** The products of the account, which are added, changed, hidden, shown and deleted here. */
export function Catalogue({ scope }: { readonly scope: Scope }) {
  const common = useWords()
  const words = useBusinessWords()
  const language = useLanguage()
  const titleId = useId()
  const [after, setAfter] = useState('')
  const [edited, setEdited] = useState<CatalogProduct | 'new'>()
  const [deleted, setDeleted] = useState<CatalogProduct>()
  const given = { body: { limit: PAGE, ...(after === '' ? {} : { after }) } }
  const { data, error, refetch } = useRead(scope, 'listCatalog', given)
  const products = data?.response.products ?? []
  const next = data?.response.after ?? ''
  const close = () => setEdited(undefined)
  const mayChange = mayConnect()
  return (
    <Card labelledBy={titleId}>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id={titleId}>{words.catalogue}</h2>
        {mayChange ? (
          <Button look="main" onClick={() => setEdited('new')}>
            {words.add}
          </Button>
        ) : null}
      </div>
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null ? <p role="status">{common.loading}</p> : null}
      {data !== undefined && products.length === 0 ? <p>{words.noProducts}</p> : null}
      {products.length === 0 ? null : (
        <DataTable
          labelledBy={titleId}
          heads={[words.product, words.price, words.state, ...(mayChange ? [words.actions] : [])]}
          rows={products}
          row={(product) => ({
            key: product.id,
            cells: [
              <Name key="name" product={product} />,
              formatPrice(product, language) ?? words.noPrice,
              product.is_hidden ? words.hidden : words.shown,
              ...(mayChange
                ? [
                    <Actions
                      key="actions"
                      scope={scope}
                      product={product}
                      onEdit={() => setEdited(product)}
                      onDelete={() => setDeleted(product)}
                    />,
                  ]
                : []),
            ],
          })}
        />
      )}
      <div className="flex flex-wrap gap-2">
        {after === '' ? null : <Button onClick={() => setAfter('')}>{words.first}</Button>}
        {next === '' ? null : <Button onClick={() => setAfter(next)}>{words.next}</Button>}
      </div>
      <Dialog
        isOpen={edited !== undefined}
        onClose={close}
        title={edited === undefined || edited === 'new' ? words.add : words.change(showUnseen(edited.name))}
      >
        {edited === undefined ? null : (
          <ProductForm scope={scope} product={edited === 'new' ? undefined : edited} onClose={close} />
        )}
      </Dialog>
      {deleted === undefined ? null : (
        <Deletion scope={scope} product={deleted} onClose={() => setDeleted(undefined)} />
      )}
    </Card>
  )
}

function Name({ product: { name, description, retailer_id: code } }: { readonly product: CatalogProduct }) {
  return (
    <div className="grid [overflow-wrap:anywhere]">
      <bdi>{showUnseen(name)}</bdi>
      {description === '' ? null : (
        <bdi className="line-clamp-2 text-sm font-normal text-muted">{showUnseen(description)}</bdi>
      )}
      {code === '' ? null : <bdi className="text-sm font-normal text-muted">{showUnseen(code)}</bdi>}
    </div>
  )
}

interface ActionsProps {
  readonly scope: Scope
  readonly product: CatalogProduct
  readonly onEdit: () => void
  readonly onDelete: () => void
}

function Actions({ scope, product: { id, name, is_hidden: isHidden }, onEdit, onDelete }: ActionsProps) {
  const words = useBusinessWords()
  const toggle = useWrite(scope, isHidden ? 'showInCatalog' : 'hideInCatalog', ['listCatalog'])
  const label = (verb: string) => `${verb}: ${showUnseen(name)}`
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <Button aria-label={label(words.edit)} onClick={onEdit}>
          {words.edit}
        </Button>
        <Button
          aria-label={label(isHidden ? words.show : words.hide)}
          isBusy={toggle.isPending}
          onClick={() => toggle.mutate({ body: { id } })}
        >
          {isHidden ? words.show : words.hide}
        </Button>
        <Button aria-label={label(words.delete)} onClick={onDelete}>
          {words.delete}
        </Button>
      </div>
      {toggle.error === null ? null : <Failure error={toggle.error} />}
    </>
  )
}

interface DeletionProps {
  readonly scope: Scope
  readonly product: CatalogProduct
  readonly onClose: () => void
}

function Deletion({ scope, product: { id, name }, onClose }: DeletionProps) {
  const words = useBusinessWords()
  const remove = useWrite(scope, 'deleteProduct', ['listCatalog'])
  const given = { body: { id } }
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={words.deleteTitle(showUnseen(name))}
      action={words.delete}
      isBusy={remove.isPending}
      error={remove.error}
      call={buildShownCall('deleteProduct', given)}
      onConfirm={() => remove.mutate(given, { onSuccess: onClose })}
    >
      <p>{words.deleteHelp}</p>
    </Confirm>
  )
}

/** Returns a price as the reader writes it; null if there is none. WhatsApp counts thousandths. */
function formatPrice({ price, currency }: CatalogProduct, language: Language): string | null {
  if (price === null) return null
  const amount = price / 1_000
  try {
    return new Intl.NumberFormat(language, { style: 'currency', currency }).format(amount)
  } catch {
    // The business chose a currency that is none.
    return `${amount} ${showUnseen(currency)}`
  }
}
