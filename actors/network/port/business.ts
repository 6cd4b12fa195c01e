/** Business profiles, catalogues and orders. Types only. */
import type {
  BusinessCategory,
  BusinessProfile,
  CatalogPage,
  OrderDetails,
  Product,
  ProductFields,
  ProfileField,
} from '../../../schemas/business-profile.js'
import type { ChatAddress } from '../../../schemas/jid.js'

/** Changes are refused for accounts that are no business: CHANGE_FAILED with the network's code. Reads: NETWORK_REFUSED. */
export interface BusinessNetwork {
  /** Returns null for an account that is no business. */
  profile(of: ChatAddress): Promise<BusinessProfile | null>
  /** Returns the categories that a business may have. */
  categories(): Promise<readonly BusinessCategory[]>
  /** Changes one field of the own profile. */
  changeProfile(field: ProfileField, value: string | readonly string[]): Promise<void>
  /** Returns a page of the products of a business. `after`: cursor of the page; empty for the first. */
  catalog(of: ChatAddress, after: string, limit: number): Promise<CatalogPage>
  addProduct(product: ProductFields): Promise<Product>
  /** Writes all fields of a product: what is left out may be lost. */
  changeProduct(id: string, product: ProductFields): Promise<Product>
  /** Returns false if there is no such product. */
  deleteProduct(id: string): Promise<boolean>
  /** Uploads an image of a product, which is not encrypted. Returns its URL. @throws GatewayError MEDIA_REFUSED, MEDIA_UPLOAD_FAILED */
  uploadImage(jpeg: Uint8Array): Promise<string>
  order(id: string, token: string): Promise<OrderDetails>
}
