// Words and phrases that documentation of software uses for the same thing: a reader writes one, a page has another. A
// word may stand in several groups. Words with one stem are one word already.
import type { Language } from './language.ts'
import { type Thesaurus, thesaurusOf } from './thesaurus.ts'

const ENGLISH = `
  picture, image, photo, screenshot, illustration, graphic
  picture, thumbnail, preview image
  thumbnail, preview
  icon, symbol, pictogram, glyph
  film, movie, video, clip
  sound, audio, voice, speech
  slideshow, carousel, slider, gallery
  color, colour
  look, appearance, style, theme, design, layout
  branding, brand, corporate design, theme
  font, typeface, typography
  dark mode, dark theme, night mode
  wording, text, label, copy
  wording, translation, language
  translation, localization, internationalization, multi-language, multilingual
  language, locale
  mail, email, e-mail, newsletter, message, mailing
  recipient, subscriber, contact, addressee
  first name, personalization, merge tag, placeholder
  placeholder, variable, token, merge tag
  remark, comment, note, annotation, feedback
  reply, answer, respond, response
  discussion, thread, conversation, comment
  chat, conversation, messaging
  delete, remove, erase, discard, drop
  delete, purge, wipe, clear
  uninstall, remove
  cancel, abort, terminate, unsubscribe
  cancel, close account, delete account
  archive, retire, deprecate
  create, add, make, new, generate
  insert, add, embed, put in
  embed, include, integrate
  change, edit, modify, update, alter, adjust
  rename, change name
  customize, customise, personalize, adapt, configure, tailor
  configure, set up, setup, settings, configuration
  setting, option, preference, configuration, parameter
  parameter, argument, option, attribute
  property, attribute, field
  option, choice, alternative
  switch on, turn on, enable, activate
  switch off, turn off, disable, deactivate
  hide, invisible, conceal
  show, display, render, view
  only show, display condition, conditional, visibility
  condition, rule, criteria
  block, prevent, stop, forbid, disallow, restrict, prohibit
  restrict, limit, constrain
  limit, quota, maximum, cap, threshold, allowance
  rate limit, throttle, throttling, too many requests
  allow, permit, grant, authorize
  permission, right, privilege, access, role
  role, permission, access level
  lock, read-only, protect
  undo, revert, roll back, history, previous version
  go back, undo, revert, restore
  restore, recover, get back
  version, revision, history
  history, changelog, change log, log
  release notes, changelog, change log, what's new
  release, version, update
  upcoming version, release candidate, beta, preview, early access
  test, try, try out, trial, evaluate
  sandbox, development environment, test environment, staging
  staging, pre-production, release candidate
  free, trial, free of charge, no cost
  price, pricing, cost, charge, fee, billing
  pay, payment, billing, charge, purchase, cost
  expensive, paid, premium
  invoice, bill, receipt, billing
  plan, subscription, tier, edition
  upgrade, change plan, subscription
  buy, purchase, order, subscribe
  sell, resell, upsell, monetize
  shop, store, marketplace
  plugin, plug-in, extension, add-on, addon, module, integration
  integration, connector, connection
  connect, link, integrate
  log in, login, sign in, sign-in, authenticate, logon
  log out, logout, sign out, sign-out
  sign up, register, registration, create an account, enroll
  account, profile, user
  username, user name, login
  single sign-on, SSO, SAML
  two-factor, 2FA, MFA, multi-factor, second factor, two-step
  password, passphrase, credentials
  credentials, API key, access key, secret, token
  API key, access token, secret key
  security, safety, protection
  secure, safe, protected
  privacy, data protection, GDPR, confidentiality, data security
  encrypt, encryption, cipher
  certificate, TLS, SSL, https
  invite, invitation, add a user
  colleague, coworker, teammate, team member, co-worker, people
  user, member, person, people
  team, group, organization, workspace
  company, organization, enterprise, business
  customer, client, account
  admin, administrator, owner
  at the same time, simultaneously, concurrently, in parallel, collaborative, real-time, together
  work together, collaborate, collaboration, co-editing
  collaborative, shared, co-editing
  share, publish, distribute
  publish, go live, release, deploy
  deploy, deployment, roll out, install
  install, installation, set up, setup
  self-hosted, on-premises, on-premise, own server
  host, hosting, hosted
  server, backend, back-end, host
  frontend, front-end, client, user interface
  user interface, UI, interface, GUI
  screen, display, monitor
  panel, sidebar, pane, side panel
  window, dialog, modal, popup, pop-up
  popup, pop-up, overlay, modal
  menu, navigation, toolbar
  button, CTA, call to action
  tab, pane
  mouse over, mouseover, hover, under the mouse
  keyboard shortcut, shortcut, hotkey, key combination
  drag, drag and drop, move
  move, relocate, transfer, migrate
  migrate, migration, move, transfer, switch from
  order, sort, arrange, sequence, reorder
  rearrange, reorder, sort
  group, cluster, category
  category, type, kind, class
  tag, label, keyword
  list, overview, index, catalog, directory
  catalog, directory, gallery, library
  library, package, SDK, module
  overview, summary, introduction
  getting started, quickstart, quick start, first steps, tutorial, beginner
  tutorial, guide, walkthrough, how-to, lesson
  example, sample, demo, snippet
  template, boilerplate, blueprint, preset
  draft, unpublished, work in progress
  mobile, phone, smartphone, handset, small screen
  tablet, iPad
  desktop, computer, PC
  responsive, mobile
  spacing, space, padding, margin, gap, room
  space between lines, line height, line spacing, leading
  room between the lines, line height, line spacing
  rounded, round, rounded corner, border radius, radius
  edge, corner, border
  width, size, dimension
  size, dimension, resolution
  wide, width
  high, height
  position, placement, location, alignment
  heading, headline, title, header
  footer, bottom
  header, top bar, head
  paragraph, text block
  link, URL, hyperlink, address
  web address, URL, domain
  domain, hostname
  website, web page, site, web site
  landing page, page, site
  form, input, survey, questionnaire
  field, input, form field
  checkbox, tick box
  drop-down, dropdown, select, picker
  table, grid, spreadsheet
  row, line
  section, part, block, component
  block, component, element, module, widget
  reuse, reusable, saved, shared
  synchronize, sync, synced, keep in sync, in step
  change everywhere, synced, sync
  once, everywhere, globally, sync
  copy, duplicate, clone
  duplicate, copy
  save, store, persist
  save, autosave, auto-save
  store, storage, host
  storage, disk space, bucket
  upload, import, attach
  download, export, save as
  export, output, extract
  import, ingest, bring in, load
  convert, transform, turn into, conversion
  load, open, start, launch
  reload, refresh, restart, load again
  start, launch, run, begin
  begin, start
  run, execute, launch
  stop, halt, end, quit, kill
  pause, suspend
  take down, maintenance, downtime, outage, unavailable
  downtime, outage, maintenance, unavailable, offline
  update, upgrade, patch
  problem, issue, error, failure, trouble, bug
  error, exception, failure, fault
  fail, break, crash
  wrong, incorrect, invalid
  broken, not working, error
  fix, repair, resolve, solve, troubleshoot
  troubleshooting, debugging, diagnose
  debug, troubleshoot, inspect
  warning, alert, notification
  notify, notification, alert, inform
  webhook, callback, event
  callback, event, hook, listener
  know when, event, callback, track
  trigger, fire, event
  track, monitor, trace, record
  monitoring, observability, metrics
  statistics, analytics, metrics, report, insights
  log, logging, journal
  audit, audit log, activity log
  usage, consumption
  used up, exhausted, limit reached, quota
  traffic, bandwidth
  slow, performance, latency
  fast, speed, performance, quick
  speed up, optimize, performance
  timeout, time out, deadline
  expire, expiration, validity, lifetime
  retention, how long kept, keep
  backup, back up, snapshot, copy
  database, DB, data store
  query, search, lookup
  search, find, look for, lookup
  filter, narrow, refine
  choose, select, pick
  picker, selector, chooser
  default, preset, standard, initial
  preselected, default
  own, custom
  custom, own, bespoke, user-defined
  built-in, native, predefined, standard
  automatic, automatically, auto
  bulk, batch, mass, many at once
  schedule, scheduled, plan, cron
  every day, daily
  check, validate, verify, validation, test
  accessibility, a11y, screen reader, disabled, blind
  describe image, alt text, alternative text
  alt text, alternative text, alternate text, image description
  AI, artificial intelligence, machine learning, LLM
  prompt, instruction
  AI, generated, assistant
  write text, writing assistant, generate text
  tone, voice, style
  credit, token, quota
  send along, pass, attach, header
  header, HTTP header
  pass, send, provide, supply
  receive, get, obtain
  get, retrieve, fetch, obtain
  request, call
  endpoint, route, API
  API, interface, endpoint
  REST, HTTP API, API
  response, reply, result
  code, script, source
  script, JavaScript, code
  command, CLI, command line, terminal
  command line, terminal, shell, console
  environment variable, env var, configuration
  file, document, attachment
  folder, directory, path
  file type, format, extension, mime type
  format, type
  schema, structure, data model
  structure, layout, schema
  JSON, data structure
  requirement, prerequisite, needed
  supported, compatible, compatibility
  browser, Chrome, Safari, Firefox
  email client, Outlook, Gmail
  region, data center, location
  country, region
  date, time, calendar
  countdown, timer
  help, support, assistance
  contact, support, get in touch
  question, FAQ, help
  contribute, contribution, participate
  license, licence, licensing, terms
  terms, agreement, policy
  commercial, business
  explain, describe, description
  difference, compare, comparison, versus
  replace, substitute, swap, instead of
  merge, combine, join, unify
  split, divide, separate, cut
  chunk, segment, split
  nested, inside, within
  compress, minify, shrink
  crop, cut, resize
  enlarge, zoom, expand
  collapse, fold, shrink
  loop, iterate, repeat, for each
  repeat, recurring, again
  unique, distinct
  identifier, ID, key
  number, count, amount
  empty, blank, missing
  optional, not required
  required, mandatory, necessary
  shared, common, global
  private, internal, restricted
  public, open, published
  visitor, guest, anonymous
  reader, visitor, end user
  end user, user, customer
  developer, engineer, programmer
`

const CHINESE = `
  账户, 账号, 帐号, 帐户, 用户
  注销, 删除账号, 删除账户, 删除个人账号
  注册, 创建账号, 开通
  登录, 登陆, 登入
  退出, 登出
  密码, 口令
  忘记密码, 重置密码, 密码重置, 找回密码
  忘记, 重置, 找回
  收不到, 未收到, 没有收到
  管理员, 所有者, 拥有者, owner
  成员, 同事, 队友, 用户
  团队, 工作空间, 工作区, 组织
  邀请, 添加成员
  转让, 转移, 移交
  所有权, 所有者
  权限, 角色, 访问控制
  删除, 移除, 清除, 去掉
  添加, 新增, 增加, 创建, 新建
  创建, 新建, 搭建, 构建, 建立
  搭建, 制作, 构建, 开发
  修改, 更改, 编辑, 变更, 更新, 调整
  设置, 配置, 设定
  选项, 参数, 设置
  开启, 启用, 打开, 激活
  关闭, 禁用, 停用
  启动, 运行, 开始
  运行, 执行, 跑
  停止, 终止, 中断
  中断, 中止, 失败, 异常
  取消, 退订
  升级, 更新, 新版本
  版本, 发布
  安装, 部署, 搭建
  部署, 上线, 发布
  本地, 私有化, 自托管, 自己的服务器
  服务器, 后端, 服务端
  前端, 界面, 页面
  界面, 页面, 网页
  网站, 网页, 站点, web
  嵌入, 集成, 接入, 放到
  接入, 集成, 连接, 对接, 整合
  连接, 关联, 链接
  外部, 第三方, 自己的
  代替, 替换, 替代, 取代
  导出, 下载
  导入, 上传
  上传, 导入, 附件
  同步, 更新
  抓取, 爬取, 爬虫, 采集
  网址, 链接, URL
  文件, 文档, 资料
  图片, 图像, 照片
  画图, 绘图, 图片生成, 图像生成
  视频, 影片
  语音, 声音, 音频, 录音
  语音输入, 语音转文字
  朗读, 文字转语音, 语音播报
  聊天, 对话, 会话
  聊天记录, 对话记录, 会话历史, 日志
  记录, 日志, 历史
  历史, 记忆, 上下文
  记住, 记忆, 保存, 会话变量
  喜好, 偏好
  欢迎语, 开场白
  开头, 开场
  机器人, 聊天助手, 助手, bot
  智能体, agent, 智能助手
  客服, 助手
  提问, 问题, 问答
  回答, 回复, 答复, 输出
  标准答案, 标注回复
  固定, 预设, 标注
  引用, 来源, 出处, 归属
  原文, 引用, 来源
  知识库, 数据集, 资料库
  检索, 搜索, 查询, 召回
  搜索, 查找, 检索
  分段, 切分, 切割, 分块, 拆分
  提取, 抽取, 解析
  读取, 提取, 解析
  解析, 处理, 转换
  转换, 变成, 转化, 转为
  数组, 列表, 集合
  字符串, 文本
  循环, 迭代, 遍历
  批量, 一次多个, 批处理
  一百篇, 批量
  并行, 同时, 并发
  合并, 聚合, 汇总
  分支, 条件, 判断
  分类, 类别, 分组, 归类
  过滤, 筛选
  审查, 审核, 过滤
  敏感词, 敏感内容
  排序, 重排序
  变量, 参数, 字段
  字段, 参数, 属性
  节点, 步骤, 组件
  流程, 工作流, 编排
  工作流, 流程, workflow
  编排, 设计, 构建
  工具, 插件, 扩展
  扩展, 插件, 自定义
  自定义, 定制, 个性化
  模版, 模板
  模型, 大模型, LLM
  大语言模型, 大模型, LLM
  供应商, 提供商, 厂商
  提示词, 指令, prompt
  密钥, key, 凭据, 凭证
  凭据, 授权, 认证
  授权, 许可, 认证
  许可, 许可证, 授权, 协议
  商用, 商业, 商业化
  开源, 社区版
  费用, 价格, 收费, 计费, 付费
  付费, 订阅, 套餐
  免费, 试用
  套餐, 订阅, 计划
  额度, 配额, 限制
  限流, 速率限制, 请求限制, 限速, 负载均衡
  轮流, 轮询, 负载均衡
  上限, 限制, 最大
  保留, 保存, 存储
  存储, 保存
  备份, 导出
  恢复, 还原
  迁移, 转移
  错误, 报错, 异常, 出错, 失败
  出错, 异常, 错误
  问题, 故障, 错误
  解决, 处理, 修复
  排查, 调试
  调试, 测试, 预览
  测试, 试用, 调试
  监控, 监测, 观测
  统计, 分析, 数据
  使用量, 用量, 消耗
  跟踪, 追踪, 链路, 监测
  延迟, 耗时, 速度
  慢, 性能, 超时
  超时, 等待
  端口, port
  占用, 冲突
  环境变量, 配置项
  命令, 命令行, 终端
  快捷键, 快捷方式
  代码, 脚本, 程序
  接口, API
  调用, 请求
  返回, 输出, 响应
  输出, 结果
  输入, 填写
  表格, Excel, 电子表格
  公司, 企业, 组织
  手机, 移动端
  微信, 企业微信, WeChat
  通知, 提醒, 消息
  安全, 隐私
  隐私, 数据安全
  语言, 翻译
  贡献, 参与
  联系, 支持, 帮助
  帮助, 支持
  入门, 快速开始, 教程
  教程, 指南, 实战
  示例, 案例, 例子
  说明, 介绍, 文档
`

const JAPANESE = `
  削除, 消す, 取り消し, 除去
  追加, 作成, 新規
  変更, 編集, 修正, 更新
  設定, 構成, 環境設定
  有効, オン, 有効化
  無効, オフ, 無効化
  ログイン, サインイン
  ログアウト, サインアウト
  登録, サインアップ, アカウント作成
  パスワード, 暗証番号
  画像, 写真, 図
  動画, ビデオ
  料金, 価格, 費用, 支払い, 請求
  プラン, サブスクリプション, 契約
  メール, 電子メール
  検索, 探す
  保存, 格納
  エラー, 失敗, 不具合, 問題
  権限, ロール, アクセス権
  共有, 公開
  復元, 元に戻す, 回復
  バックアップ, 複製
  通知, アラート
  インストール, 導入, セットアップ
`

const KOREAN = `
  삭제, 제거, 지우기
  추가, 생성, 만들기
  변경, 수정, 편집
  설정, 구성, 환경설정
  로그인, 접속
  비밀번호, 암호
  이미지, 사진, 그림
  요금, 가격, 비용, 결제, 청구
  오류, 에러, 문제
  권한, 역할
  검색, 찾기
  복원, 되돌리기, 복구
  알림, 통지
  공유, 게시
`

const GERMAN = `
  Bild, Foto, Grafik, Abbildung
  löschen, entfernen, tilgen
  anlegen, erstellen, hinzufügen, erzeugen
  ändern, bearbeiten, anpassen, aktualisieren
  Einstellung, Konfiguration, Option
  einrichten, konfigurieren, einstellen
  einschalten, aktivieren
  ausschalten, deaktivieren
  anmelden, einloggen, Login
  abmelden, ausloggen
  registrieren, Konto anlegen
  Kennwort, Passwort, Zugangsdaten
  Benutzer, Nutzer, Anwender, Mitglied
  Preis, Kosten, Gebühr, Abrechnung
  bezahlen, zahlen, Zahlung, Abrechnung
  Rechnung, Abrechnung, Beleg
  Abo, Abonnement, Tarif, Plan
  kündigen, beenden, stornieren
  Fehler, Problem, Störung
  beheben, lösen
  Handy, Smartphone, mobil
  E-Mail, Mail, Nachricht
  Farbe, Design, Aussehen
  Recht, Berechtigung, Rolle, Zugriff
  Sicherung, Backup, Kopie
  wiederherstellen, zurückspielen
  herunterladen, exportieren, Download
  hochladen, importieren, Upload
  Benachrichtigung, Warnung, Hinweis
  suchen, finden
  Ordner, Verzeichnis
  einladen, Einladung
  teilen, freigeben, veröffentlichen
  Rechner, Computer, Server
  Grenze, Limit, maximal
  Verlauf, Historie, Version
  rückgängig, zurücksetzen
`

const FRENCH = `
  image, photo, illustration
  supprimer, effacer, retirer, enlever
  créer, ajouter
  modifier, changer, éditer, mettre à jour
  paramètre, réglage, option, configuration
  activer, allumer
  désactiver, éteindre
  connexion, se connecter, authentification, identifier
  déconnexion, se déconnecter
  inscription, créer un compte
  mot de passe, identifiants
  utilisateur, membre
  prix, tarif, coût, facturation
  payer, paiement, facturation
  facture, facturation
  abonnement, forfait, offre
  annuler, résilier
  erreur, problème, panne
  résoudre, corriger
  téléphone, mobile, portable
  courriel, e-mail, email, message
  couleur, apparence, thème
  droit, permission, rôle, accès
  sauvegarde, copie
  restaurer, récupérer
  télécharger, exporter
  importer, téléverser
  notification, alerte, avertissement
  chercher, rechercher, trouver
  dossier, répertoire
  inviter, invitation
  partager, publier
  limite, maximum, quota
`

const SPANISH = `
  imagen, foto, ilustración
  eliminar, borrar, quitar, suprimir
  crear, añadir, agregar
  cambiar, editar, modificar, actualizar
  configuración, ajuste, opción, parámetro
  activar, habilitar, encender
  desactivar, deshabilitar, apagar
  iniciar sesión, acceder, autenticación
  cerrar sesión, salir
  registrarse, crear una cuenta
  contraseña, clave, credenciales
  usuario, miembro
  precio, coste, costo, tarifa, facturación
  pagar, pago, facturación
  factura, recibo, facturación
  suscripción, plan
  cancelar, anular
  error, problema, fallo
  resolver, solucionar, arreglar
  teléfono, móvil, celular
  correo, email, mensaje
  color, apariencia, tema
  permiso, rol, acceso
  copia de seguridad, respaldo
  restaurar, recuperar
  descargar, exportar
  subir, importar, cargar
  notificación, alerta, aviso
  buscar, encontrar
  carpeta, directorio
  invitar, invitación
  compartir, publicar
  límite, máximo, cuota
`

const TABLES: Partial<Record<Language, readonly (readonly [Language, string])[]>> = {
  en: [['en', ENGLISH]],
  de: [['de', GERMAN]],
  fr: [['fr', FRENCH]],
  es: [['es', SPANISH]],
  // Words of Latin letters within them are English.
  zh: [
    ['zh', CHINESE],
    ['en', ENGLISH],
  ],
  ja: [
    ['ja', JAPANESE],
    ['en', ENGLISH],
  ],
  none: [
    ['none', KOREAN],
    ['en', ENGLISH],
  ],
}

/** What a page that has a synonym counts of one that has the word itself. */
const SYNONYM_WEIGHT = 0.5

const made = new Map<string, Thesaurus>()

/** Those of a language, each read when it is asked for first. */
export const readSynonyms = (language: Language): readonly Thesaurus[] =>
  (TABLES[language] ?? []).map(([of, table]) => {
    const thesaurus = made.get(of) ?? thesaurusOf(groupsIn(table, of), SYNONYM_WEIGHT)
    made.set(of, thesaurus)
    return thesaurus
  })

const groupsIn = (table: string, language: Language) =>
  table
    .trim()
    .split('\n')
    .map(line => line.split(',').map(text => ({ text: text.trim(), language })))
