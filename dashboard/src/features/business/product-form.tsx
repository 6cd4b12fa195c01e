import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { CatalogProduct } from '../../../../schemas/generated.js'
import { Problem } from '../../api/problem.js'
import { buildShownCall } from '../../api/shown-call.js'
import { Button } from '../../components/button.js'
import dialog from '../../components/dialog.module.css'
import { Failure } from '../../components/failure.js'
import { CheckField, InputField, TextField } from '../../components/field.js'
import { ShowCurl } from '../../components/show-curl.js'
import { type Scope, useWrite } from '../../hooks/use-operation.js'
import { useBusinessWords } from '../../words/business.js'
import { useWords } from '../../words/index.js'
import { makeSquarePicture } from './square-picture.js'

const [NAME_MAX, DESCRIPTION_MAX, CODE_MAX, URL_MAX, PICTURES_MAX] = [150, 5_000, 100, 1_000, 10]

interface ProductFormProps {
  readonly scope: Scope
  /** The product to change; undefined: a new one. */
  readonly product: CatalogProduct | undefined
  readonly onClose: () => void
}

/** A product of the catalogue. A new one needs a picture; one that is changed keeps what is left as it is. */
export function ProductForm({ scope, product, onClose }: ProductFormProps) {
  const common = useWords()
  const words = useBusinessWords()
  const { fields, set, files, setFiles, body } = useProduct(product)
  const add = useWrite(scope, 'addProduct', ['listCatalog'])
  const change = useWrite(scope, 'changeProduct', ['listCatalog'])
  const save = useMutation({
    mutationFn: async () => {
      const images = await Promise.all(files.map(makeSquarePicture))
      const given = { ...body, ...(images.length === 0 ? {} : { images }) }
      if (product === undefined) await add.mutateAsync({ body: { name: '', images: [], ...given } })
      else if (Object.keys(given).length > 0) await change.mutateAsync({ body: { id: product.id, ...given } })
    },
    onSuccess: onClose,
  })
  const problem = save.error instanceof Problem ? save.error : undefined
  const wrong = (field: string) => problem?.fields[field]
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!save.isPending) save.mutate()
  }
  const shown = { ...body, ...(files.length === 0 ? {} : { images: files.map(({ name }) => name) }) }
  return (
    <form className={dialog.form} onSubmit={submit}>
      <InputField
        label={words.name}
        required
        pattern=".*\S.*"
        maxLength={NAME_MAX}
        autoComplete="off"
        wrong={wrong('name')}
        value={fields.name}
        onChange={({ target }) => set({ name: target.value })}
      />
      <TextField
        label={words.description}
        rows={3}
        maxLength={DESCRIPTION_MAX}
        value={fields.description}
        onChange={({ target }) => set({ description: target.value })}
      />
      <Price fields={fields} set={set} wrong={wrong} />
      <InputField
        label={words.url}
        type="url"
        maxLength={URL_MAX}
        wrong={wrong('url')}
        value={fields.url}
        onChange={({ target }) => set({ url: target.value })}
      />
      <InputField
        label={words.code}
        maxLength={CODE_MAX}
        autoComplete="off"
        value={fields.code}
        onChange={({ target }) => set({ code: target.value })}
      />
      <InputField
        label={words.pictures}
        help={product === undefined ? words.picturesHelp : `${words.picturesHelp} ${words.picturesKept}`}
        type="file"
        accept="image/jpeg,image/png,image/webp"
        multiple
        required={product === undefined}
        wrong={wrong('images')}
        onChange={({ target }) => setFiles([...(target.files ?? [])].slice(0, PICTURES_MAX))}
      />
      <CheckField
        label={words.isHidden}
        checked={fields.isHidden}
        onChange={({ target }) => set({ isHidden: target.checked })}
      />
      {save.error === null ? null : problem === undefined ? (
        <p role="alert">{words.unreadable}</p>
      ) : (
        <Failure error={problem} />
      )}
      <div className={dialog.actions}>
        <ShowCurl
          call={
            product === undefined
              ? buildShownCall('addProduct', { body: shown })
              : buildShownCall('changeProduct', { body: { id: product.id, ...shown } })
          }
        />
        <Button onClick={onClose}>{common.cancel}</Button>
        <Button type="submit" look="main" isBusy={save.isPending}>
          {product === undefined ? words.addNow : words.save}
        </Button>
      </div>
    </form>
  )
}

interface PriceProps {
  readonly fields: Pick<Fields, 'price' | 'currency'>
  readonly set: (part: Partial<Fields>) => void
  readonly wrong: (field: string) => string | undefined
}

function Price({ fields, set, wrong }: PriceProps) {
  const words = useBusinessWords()
  return (
    <>
      <InputField
        label={words.price}
        inputMode="decimal"
        pattern="\d{1,9}([.,]\d{1,3})?"
        wrong={wrong('price')}
        value={fields.price}
        onChange={({ target }) => set({ price: target.value })}
      />
      <InputField
        label={words.currency}
        help={words.currencyHelp}
        required={fields.price !== ''}
        pattern="[A-Z]{3}"
        maxLength={3}
        wrong={wrong('currency')}
        value={fields.currency}
        onChange={({ target }) => set({ currency: target.value.toUpperCase() })}
      />
    </>
  )
}

interface Fields {
  readonly name: string
  readonly description: string
  /** In the unit of the currency. */
  readonly price: string
  readonly currency: string
  readonly url: string
  readonly code: string
  readonly isHidden: boolean
}

function useProduct(product: CatalogProduct | undefined) {
  const [changed, setChanged] = useState<Partial<Fields>>({})
  const [files, setFiles] = useState<readonly File[]>([])
  const fields: Fields = {
    name: product?.name ?? '',
    description: product?.description ?? '',
    price: product?.price == null ? '' : String(product.price / 1_000),
    currency: product?.currency ?? '',
    url: product?.url ?? '',
    code: product?.retailer_id ?? '',
    isHidden: product?.is_hidden ?? false,
    ...changed,
  }
  const set = (part: Partial<Fields>) => setChanged({ ...changed, ...part })
  return { fields, set, files, setFiles, body: makeBody(changed, fields) }
}

/** Returns the fields that were changed, as the operation names them. A price goes with its currency. */
function makeBody(changed: Partial<Fields>, { price, currency }: Fields) {
  const { name, description, url, code, isHidden } = changed
  const hasPrice = (changed.price !== undefined || changed.currency !== undefined) && price !== ''
  return {
    ...(name === undefined ? {} : { name: name.trim() }),
    ...(description === undefined ? {} : { description }),
    ...(hasPrice ? { price: Math.round(Number(price.replace(',', '.')) * 1_000), currency } : {}),
    ...(url === undefined ? {} : { url }),
    ...(code === undefined ? {} : { retailer_id: code }),
    ...(isHidden === undefined ? {} : { is_hidden: isHidden }),
  }
}
