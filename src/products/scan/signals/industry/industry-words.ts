import type { IndustrySlug } from '../../../text/knowledge/industry.ts'
import { societyWords, tradeWords } from './other-words.ts'

/**
 * What sites of an industry call themselves, in thirteen languages. Data only. A phrase matches whole words;
 * with "*" at its end, words that begin so (German joins words: "Zahnarztpraxis"), and before it, words that end so. Chinese, Japanese,
 * Korean and Thai phrases match anywhere. `other` holds kinds of sites for which the list has no industry: without
 * them a restaurant would be sorted by some other word on its page.
 */
export const industryWords: Readonly<Record<IndustrySlug, string>> = {
  healthcare:
    'dentist|dentists|dental|dentistry|oral surg*|maxillofacial|orthodont*|periodont*|clinic|clinics|hospital|hospitals|doctor|doctors|physician|physicians|physiotherap*|psychotherap*|psycholog*|' +
    'pharmacy|medical practice|medical center|medical centre|surgery clinic|veterinar*|vet|optician|opticians|optometr*|optiker*|augenoptik*|opticien*|centro óptico|ottica|optika|оптика|chiropract*|dermatolog*|pediatric*|nursing home|patients|' +
    'medicine|medical|healthcare|health care|midwife|podiatr*|osteopath*|audiolog*|speech therap*|speech language patholog*|dietitian*|dietician*|nutritionist*|ernährungsberat*|diététi*|nutritionniste*|nutricionista*|dietista*|diëtist*|diyetisyen*|диетолог*|zahnarzt*|zahnärzt*|zahnmedizin*|zahnheilkunde|arztpraxis|hausarzt*|facharzt*|ärzt*|klinik*|krankenhaus|apotheke*|physiotherapie*|' +
    'heilprakti*|logopäd*|tierarzt*|augenarzt*|augenärzt*|augenheilkund*|augenklinik*|oftalm*|ophthalm*|ophtalm*|chirurg*|cirurgi*|cirujan*|hebamme*|kieferorthop*|dentiste|cabinet dentaire|médecin|clinique|hôpital|pharmacie|kinésithérap*|ostéopath*|vétérinaire|' +
    'psychologue|orthophonist*|dentista|clínica|médico|médica|hospital|farmacia|fisioterap*|psicólog*|odonto*|ortodon*|endodon*|implantolog*|logopeda|fonoaudiolog*|veterinari*|studio dentistico|medico|ospedale|fisioterapista|' +
    'psicologo|logopedista|clinica dentaria|médicos|farmácia|tandarts*|mondzorg*|mondhygiën*|logoped*|huisarts*|kliniek|apotheek|fysiotherap*|dierenarts|diş hekim*|diş klini*|diş polikl*|diş sağlığı|dişçi*|klinik|kliniği|hastane*|doktor|eczane|veteriner*|medikal|tıbbi|' +
    'stomatolog*|dentysta|lekarz*|стоматолог*|офтальмолог*|хирург*|клиник*|больниц*|врач*|аптек*|ветеринар*|медицин*|зубн*|طبيب|عيادة|عيادات|مستشفى|أسنان|صيدلية|طبي|' +
    // Dentists of other languages, too: their words stand for nothing else.
    'tandläkar*|tandvård*|tandhälsa|tandhygien*|folktandvård*|tannlege*|tannklinik*|tannhelse*|tandlæge*|tandklinik*|hammaslääk*|hammashoito*|hammasklinik*|stomatolo*|zubar*|zubař*|zubní|zubný|zubné|zubna|zubni|dentálna hygiena|dentální hygiena|ordinacija|ordinace|ordinácia|fogorvos*|fogászat*|fogszabályoz*|fogbeültet*|' +
    'zobozdrav*|zobna|zobne|zobārst*|hambaarst*|hambaravi|odontologijos|οδοντιατρ*|οδοντίατρ*|ορθοδοντικ*|دندانپزشک*|רופא שיניים|רופאת שיניים|מרפאת שיניים|nha khoa|dokter gigi|klinik gigi|ทันตกรรม|ทันตแพทย์|ทำฟัน|दंत चिकित्सा|दंत चिकित्सक|' +
    '歯科|クリニック|病院|医院|診療|整骨院|接骨院|薬局|動物病院|치과|병원|의원|한의원|클리닉|약국|동물병원|피부과|牙科|诊所|診所|医院|醫院|药房|藥局|中医|中醫',
  finance:
    'bank|banks|banking|insurance|insurer|mortgage|mortgages|loans|credit union|wealth management|investment fund|asset management|financial advisor|financial adviser|financial planning|gestion de patrimoine|gestion patrimoniale|conseil en gestion de patrimoine|gestión patrimonial|gestão patrimonial|gestione patrimoniale|consulente finanziario|consulenza finanziaria|asesor financiero|vermögensberatung|vermogensbeheer|' +
    'accountant|accountants|accountancy|accounting firm|accounting services|taxation services|tax services|cpa firm|cpa practice|chartered accountant*|bookkeeping|bookkeeper|tax advisor|tax adviser|tax preparation|fintech|brokerage|pension|' +
    'anti money laundering|versicherung*|bank|kredit*|steuerberat*|finanzberat*|vermögensverwaltung|buchhaltung*|banque|assurance|assurances|expert comptable|experts comptables|comptable|crédit|courtier|' +
    'banco|seguros|hipotecas|contable|asesoría fiscal|gestoría|préstamos|banca|assicurazion*|mutui|commercialista|seguro|contabilidade|contador|empréstimos|bank|verzekering*|hypothe*|boekhoud*|accountant|' +
    'banka|sigorta*|muhasebe*|kredi*|банк|банка|страхован*|кредит*|бухгалтер*|ипотек*|بنك|تأمين|محاسبة|قروض|تمويل|' +
    '銀行|保険|税理士|会計事務所|融資|은행|보험|회계|세무|대출|银行|保险|保險|会计|會計|贷款|貸款|理财|理財|证券|證券',
  retail:
    'shop|online shop|online store|store|stores|boutique|supermarket|grocery|butcher|butchers|meats|perfume|perfumes|coffee roaster|coffee roasters|espresso machines|coffee machines|e-commerce store|jeweler*|jeweller*|jewelry store|furniture store|bookshop|bookstore|bike shop|fashion store|gift shop|buy online|free shipping|' +
    'onlineshop|laden|fachgeschäft|geschäft|buchhandlung|möbelhaus|juwelier*|boutique en ligne|magasin|librairie|bijouterie|vente en ligne|tienda|tienda online|joyería|librería|comprar online|negozio|negozio online|gioielleria|' +
    'loja|loja online|loja virtual|joalharia|joalheria|livraria|winkel|webshop|webwinkel|juwelier|boekhandel|mağaza*|hırdavat*|yapı malzemeleri|online alışveriş|kuyumcu|магазин|интернет-магазин|купить|متجر|تسوق|متجر إلكتروني|' +
    'ショップ|通販|オンラインストア|販売店|専門店|쇼핑몰|온라인 쇼핑|스토어|매장|商城|网店|網店|购物|購物|专卖店|專賣店|旗舰店',
  'professional-services':
    'law firm|law firms|law office|law offices|law practice|law group|lawyer|lawyers|attorney|attorneys|solicitor|solicitors|legal services|notary|barrister|architect|architects|architecture firm|architecture studio|surveyor|private investigator|detective agency|translation agency|translation services|' +
    'interior design studio|engineering office|rechtsanwalt*|rechtsanwält*|anwalt*|anwält*|fachanwalt*|fachanwält*|kanzlei*|notar|notariat|architekt*|architekturbüro|ingenieurbüro|detektei|übersetzungsbüro|avocat*|notaire|architecte*|cabinet d avocats|cabinet d avocat|' +
    'détective privé|abogad*|bufete|estudio legal|estudio jurídico|despacho jurídico|despacho legal|consultorio jurídico|asesoría jurídica|notaría|arquitect*|detective privado|avvocat*|studio legale|notaio|architett*|investigatore privato|investigazioni|agenzia investigativa|advogad*|advocacia|escritório de advocacia|arquitet*|advocaat|advocaten*|notaris|architectenbureau|' +
    'avukat*|hukuk bürosu|mimarlık|noter|адвокат*|юрист*|юридическ*|нотариус*|архитектурн*|محامي|محاماة|المحاماة|مكتب هندسي|' +
    '法律事務所|弁護士|司法書士|行政書士|建築事務所|設計事務所|법무법인|변호사|법률사무소|건축사|律师|律師|律师事务所|建筑设计事务所|公证|公證',
  technology:
    'saas|software|software company|software engineer*|automation engineer*|ai automation|ai consultant*|ai consulting|it consultant*|ki berat*|it berat*|web developer*|app|mobile app|open source|developer tools|developer platform|developers|api|apis|sdk|cloud platform|cloud hosting|cybersecurity|web hosting|data platform|machine learning platform|ai agent|ai agents|llm|' +
    'password manager|password managers|passwort manager|gestor de contraseñas|gestionnaire de mots de passe|gestore di password|gerenciador de senhas|wachtwoordmanager|менеджер паролей|text editor|file manager|browser extension|desktop app|web app|mac app|ios app|android app|iphone app|remote desktop|vpn|antivirus|' +
    'command line tool|static site generator|documentation generator|blockchain|it services|it support|it solutions|web development|app development|software development|devops|data recovery|programming library|javascript library|python library|hacker|security research|' +
    'softwareentwicklung|softwarelösung*|it dienstleist*|webentwicklung|logiciel|logiciels|développement web|informatique|software a medida|desarrollo web|desarrollo de software|sviluppo software|sviluppo web|desenvolvimento de software|desenvolvimento web|softwareontwikkeling|webontwikkeling|yazılım*|bilişim*|e imza|elektronik imza|siber güvenlik|web tasarım|' +
    'разработка сайтов|программное обеспечение|разработка по|برمجيات|تطوير المواقع|تطوير التطبيقات|برمجة|استعادة البيانات|استعادة بيانات|ソフトウェア|システム開発|アプリ開発|ウェブ開発|소프트웨어|앱 개발|웹 개발|软件|軟體|软件开发|网站开发|開源|开源',
  education:
    'school|schools|university|college|academy|kindergarten|preschool|tutoring|tutor|tutors|students|bootcamp|curriculum|online courses|e-learning|textbook|lecture notes|language school|driving school|music school|' +
    'schule*|universität|hochschule|akademie|kita|kindergarten|nachhilfe|fahrschule|musikschule|volkshochschule|école*|université|lycée|collège|formation|auto-école|escuela*|colegio|universidad|academia|autoescuela|scuola|università|liceo|corsi|autoscuola|' +
    'escola*|universidade|faculdade|cursos|colégio|basisschool|hogeschool|universiteit|rijschool|okul*|üniversite*|kurs*|anaokulu|школ*|университет*|колледж|детский сад|курсы|автошкол*|مدرسة|جامعة|أكاديمية|كلية|دورات|' +
    '学校|大学|学院|塾|教室|スクール|幼稚園|보육원|학교|대학교|학원|유치원|大学|大學|培训|培訓|幼儿园|幼兒園|學院',
  manufacturing:
    'manufacturer|manufacturers|manufacturing|factory|factories|machine shop|cnc|industrial machinery|oem|foundry|injection molding|3d printing|3d print|3d druck|impressão 3d|impresión 3d|impression 3d|stampa 3d|3d baskı|3d печать|3dプリント|3d 프린팅|3d打印|3d列印|production plant|hersteller|fertigung|maschinenbau|fabrik|produktion von|werkzeugbau|fabricant|usine|fabrication|' +
    'fabricante|fábrica|fabricación|produttore|fabbrica|officina meccanica|produzione|fabricante|indústria|fabrikant|fabriek|machinebouw|üretici|imalat*|fabrika*|производител*|завод|фабрика|производство|مصنع|تصنيع|' +
    '製造会社|メーカー|製作所|제조업|제조사|제조공장|工厂|工廠|生产厂家|厂家|制造商|製造商|制造有限公司|智能装备|装备制造|装备有限公司|设备制造|研发与制造|研发制造|研發製造|機械製造',
  'real-estate':
    'real estate|realtor|realtors|realty|estate agent|estate agents|homes for sale|property management|apartments for rent|apartments for sale|letting agent|lettings|condos for sale|immobilien*|makler|immobilienmakler|hausverwaltung|' +
    'immobilier|agence immobilière|inmobiliari*|agenzia immobiliare|immobiliare|imobiliári*|makelaar*|vastgoed|emlak*|gayrimenkul|недвижимост*|риелтор*|عقارات|عقار|العقارية|不動産|부동산|房地产|房地產|房产|房屋仲介|不動產',
  marketing:
    'marketing agency|advertising agency|digital agency|creative agency|branding agency|seo agency|seo services|pr agency|social media agency|media agency|digital marketing|seo|geo audit|answer engine optimization|generative engine optimization|content marketing|brand visibility|werbeagentur|marketingagentur|digitalagentur|online marketing|' +
    'agence de communication|agence marketing|agence web|agence digitale|agencia de marketing|agencia digital|agencia de publicidad|agenzia di comunicazione|web agency|agenzia marketing|agência de marketing|agência digital|reclamebureau|marketingbureau|' +
    'reklam ajansı|dijital ajans|рекламное агентство|маркетинг*|وكالة تسويق|تسويق رقمي|التسويق الرقمي|広告代理店|マーケティング|광고대행사|마케팅|广告公司|廣告公司|数字营销|數位行銷|营销',
  consulting:
    'consulting|consultancy|consulting firm|management consulting|business consulting|business coach|executive coach|executive coaching|advisory firm|unternehmensberatung|beratungsunternehmen|strategieberatung|cabinet de conseil|conseil en|consultoría|consultoria|consulenza aziendale|' +
    'adviesbureau|danışmanlık|консалтинг*|бизнес-консультант|استشارات|コンサルティング|コンサル|컨설팅|咨询公司|諮詢|顾问公司|管理顧問',
  other: `${tradeWords}|${societyWords}`,
}
