/**
 * What businesses call their offers, in links and headings, in the languages of `kind-words.ts` and some more. Data only;
 * compared as `business-signs.ts` says. Clubs, universities and conferences have members, courses, tickets and menus,
 * too, so these are left out.
 */
export const offerWords: Readonly<Record<string, string>> = {
  en: 'why choose us|why us|what our customers say|our customers|services|our services|products|our products|our solutions|treatments|shop|buy|order now|get a quote|request a quote|free quote|free estimate|hire us|hire me|rentals|our rooms|rooms and rates|rooms and suites|our properties|property listings|properties for sale|properties for rent|for rent|for sale|free trial|start free trial|portfolio and services|pay once|one time purchase',
  de: 'warum wir|warum zu uns|unsere kunden|leistungen|unsere leistungen|dienstleistungen|produkte|unsere produkte|angebote|unser angebot|unsere angebote|behandlungen|speisekarte|bestellen|angebot anfordern|kostenvoranschlag|mieten|kaufen|unsere zimmer|zimmer und preise|unsere wohnungen|immobilienangebote|sortiment|therapien',
  fr: 'pourquoi nous choisir|pourquoi nous|nos clients|services|nos services|prestations|nos prestations|produits|nos produits|nos solutions|la carte|notre carte|devis|demander un devis|devis gratuit|nos chambres|nos biens|à louer|à vendre|nos offres',
  es: 'por qué elegirnos|nuestros clientes|servicios|nuestros servicios|productos|nuestros productos|tratamientos|pedir presupuesto|presupuesto|solicitar presupuesto|comprar|alquiler|nuestras habitaciones|en alquiler|en venta',
  it: 'perché sceglierci|i nostri clienti|servizi|i nostri servizi|prodotti|i nostri prodotti|trattamenti|preventivo|richiedi preventivo|acquista|ordina|noleggio|le nostre camere|in affitto|in vendita',
  pt: 'por que nos escolher|nossos clientes|serviços|nossos serviços|os nossos serviços|produtos|nossos produtos|ver produtos|tratamentos|cardápio|orçamento|solicitar orçamento|pedir orçamento|comprar|encomendar|aluguel|nossos quartos|imóveis à venda|para alugar|à venda',
  nl: 'waarom wij|onze klanten|diensten|onze diensten|producten|onze producten|aanbod|ons aanbod|behandelingen|menukaart|offerte|offerte aanvragen|bestellen|verhuur|onze kamers|te huur|te koop',
  tr: 'neden biz|müşterilerimiz|hizmetler|hizmetlerimiz|ürünler|ürünlerimiz|tedaviler|teklif al|teklif iste|fiyat al|sipariş|sipariş ver|satın al|kiralama|odalarımız|kiralık|satılık',
  ru: 'почему мы|почему выбирают нас|наши клиенты|услуги|наши услуги|товары|продукция|наша продукция|продукты|заказать|оставить заявку|рассчитать стоимость|купить|аренда|продажа|послуги|наші послуги|товари|продукція|замовити|купити',
  ar: 'لماذا نحن|لماذا تختارنا|عملاؤنا|خدماتنا|الخدمات|خدمات|منتجاتنا|المنتجات|منتجات|حلولنا|قائمة الطعام|اطلب الآن|اطلب عرض سعر|عرض سعر|للبيع|للإيجار',
  ja: '選ばれる理由|お客様の声|サービス|サービス内容|事業内容|事業案内|業務内容|商品|商品一覧|製品|製品情報|製品案内|診療案内|診療内容|診療科目|施術|お品書き|お見積り|見積もり|見積依頼|ご注文|購入|客室|宿泊プラン|レンタル|取扱商品|取扱業務',
  ko: '선택하는 이유|고객 후기|서비스|서비스 소개|사업분야|사업 분야|사업영역|제품|제품소개|제품 소개|상품|진료과목|진료안내|시술|견적|견적문의|견적 문의|주문|구매|객실|대여|상담신청',
  zh: '为什么选择我们|為什麼選擇我們|客户案例|服务|服務|服务项目|服務項目|我们的服务|我們的服務|产品|產品|产品中心|產品介紹|产品展示|解决方案|解決方案|业务范围|業務範圍|诊疗项目|診療項目|客房|报价|報價|购买|購買|订购|訂購|租赁|租賃',
  th: 'บริการ|บริการของเรา|สินค้า|สินค้าของเรา|ผลิตภัณฑ์|สั่งซื้อ|สั่งซื้อสินค้า|ซื้อเลย|ขอใบเสนอราคา',
  pl: 'usługi|nasze usługi|oferta|nasza oferta|produkty|nasze produkty|zabiegi|wycena|zamów|kup|wynajem|sprzedaż|služby|naše služby|produkty|nabídka|ceník|szolgáltatások|termékek|servicii|produse|tjänster|produkter|ydelser|palvelut|tuotteet|υπηρεσίες|προϊόντα|dịch vụ|sản phẩm|layanan|produk|सेवाएं|हमारी सेवाएं|שירותים|מוצרים|خدمات ما|محصولات',
}
