# docsctl completion for PowerShell. Add to your profile: docsctl completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName docsctl -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @()
  # PowerShell leaves the quotes in the word, and takes lists apart at their commas: what stands together belongs together.
  $word = $wordToComplete -replace '^["'']|["'']$'
  $begun = $word
  foreach ($element in ($commandAst.CommandElements | Select-Object -Skip 1)) {
    $extent = $element.Extent
    if ($extent.EndOffset -lt $cursorPosition) {
      $words += if ($element -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $element.Value } else { $element.ToString() }
    } elseif ($extent.StartOffset -lt $cursorPosition) {
      $begun = $extent.Text.Substring(0, $cursorPosition - $extent.StartOffset) -replace '^["'']|["'']$'
    }
  }
  # Of what is begun, PowerShell replaces only the word.
  $kept = if ($begun.EndsWith($word, [System.StringComparison]::Ordinal)) { $begun.Substring(0, $begun.Length - $word.Length) } else { '' }
  $arePaths = $false
  $found = @(docsctl --no-input --timeout 1 --retries 0 __complete "--begun=$begun" '--' @words 2>$null | ForEach-Object {
    $value, $title = ($_ -split "`t")[0, 1]
    if (-not $value) {
      $arePaths = $true
    } elseif ($value.StartsWith($kept, [System.StringComparison]::Ordinal)) {
      $value = $value.Substring($kept.Length)
      if (-not $title) { $title = $value }
      # In quotes nothing is expanded; PowerShell knows five signs that end them.
      $inserted = if ($value -match '[^A-Za-z0-9_./:=+-]') {
        "'" + [System.Management.Automation.Language.CodeGeneration]::EscapeSingleQuotedStringContent($value) + "'"
      } else { $value }
      [System.Management.Automation.CompletionResult]::new($inserted, $value, 'ParameterValue', $title)
    }
  })
  # Where paths stand, nothing is returned: PowerShell then completes files itself. An empty text keeps it from that.
  if ($found.Count -eq 0 -and -not $arePaths) { '' } else { $found }
}
