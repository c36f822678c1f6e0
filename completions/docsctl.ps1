# docsctl completion for PowerShell. Add to your profile: docsctl completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName docsctl -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object {
    if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.ToString() }
  })
  # Where paths stand, nothing is returned: PowerShell then completes files itself.
  docsctl --no-input --timeout 1 --retries 0 __complete "--begun=$wordToComplete" '--' @words 2>$null | ForEach-Object {
    $value, $title = $_ -split "`t", 2
    if ($value) {
      if (-not $title) { $title = $value }
      $inserted = if ($value -match '[^\w./:=+-]') { "'" + $value.Replace("'", "''") + "'" } else { $value }
      [System.Management.Automation.CompletionResult]::new($inserted, $value, 'ParameterValue', $title)
    }
  }
}
