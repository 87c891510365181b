// A hint, as it is inserted.
export const hint = '{% hint style="#{2:info}" %}\n#{1}\n{% endhint %}'
