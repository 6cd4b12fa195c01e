import type { Route } from '../../route.js'
import { sendAlbum } from './album.js'
import { sendCarousel } from './carousel.js'
import { sendContact } from './contact.js'
import { sendEvent } from './event.js'
import { sendForward } from './forward.js'
import { sendGroupInvite } from './group-invite.js'
import { sendLocation } from './location.js'
import { sendLocationButton } from './location-button.js'
import { sendMedia } from './media.js'
import { sendMenu } from './menu.js'
import { sendPixButton } from './pix-button.js'
import { sendProduct } from './product.js'
import { sendRequestPayment } from './request-payment.js'
import { sendStatus } from './status.js'
import { sendText } from './text.js'

/** Routes of the area, in the order of the documentation. */
export const sendRoutes: readonly Route[] = [
  sendText,
  sendContact,
  sendLocation,
  sendMenu,
  sendCarousel,
  sendPixButton,
  sendLocationButton,
  sendRequestPayment,
  sendMedia,
  sendStatus,
  sendEvent,
  sendForward,
  sendGroupInvite,
  sendProduct,
  sendAlbum,
]
