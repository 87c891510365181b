// Spanish synonyms. The wordings on a line mean the same.
export const SPANISH = `
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
