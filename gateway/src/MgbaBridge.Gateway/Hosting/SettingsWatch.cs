using MgbaBridge.Client.Transport;
using MgbaBridge.Gateway.Interfaces.Http;
using MgbaBridge.Gateway.Security;
using MgbaBridge.Gateway.Diagnostics;
using Microsoft.Extensions.Primitives;

namespace MgbaBridge.Gateway.Hosting;

/// <summary>Applies changes to the settings file while the gateway runs, and logs which of them need a restart.</summary>
internal sealed class SettingsWatch(IConfigurationManager configuration, TransportSettings transport, CredentialStore credentials, ILogger<SettingsWatch> logger) : IHostedService, IDisposable
{
    private const string Transport = $"{BridgeOptions.Section}:{nameof(BridgeOptions.Transport)}:";
    private const string Token = $"{BridgeOptions.Section}:{nameof(BridgeOptions.Http)}:{nameof(HttpOptions.Token)}";
    private const string Tokens = $"{BridgeOptions.Section}:{nameof(BridgeOptions.Http)}:{nameof(HttpOptions.Tokens)}:";

    private readonly Lock _gate = new();
    private Dictionary<string, string?> _known = [];
    private IDisposable? _watching;

    public Task StartAsync(CancellationToken cancellationToken)
    {
        _known = Read();
        _watching = ChangeToken.OnChange(((IConfiguration)configuration).GetReloadToken, Reload);
        foreach (var file in configuration.Sources.OfType<FileConfigurationSource>())
        {
            // thrown as well, so that nothing of it applies
            file.OnLoadException = failed => GatewayLog.SettingsUnreadable(logger, file.Path ?? "", $"{failed.Exception.Message} {failed.Exception.InnerException?.Message}".TrimEnd());
        }

        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public void Dispose() => _watching?.Dispose();

    private void Reload()
    {
        lock (_gate)
        {
            // the file system may report one change several times
            var now = Read();
            string[] changed = [.. now.Keys.Union(_known.Keys, StringComparer.OrdinalIgnoreCase).Where(key => now.GetValueOrDefault(key) != _known.GetValueOrDefault(key))];
            if (changed.Length == 0)
            {
                return;
            }

            _known = now;
            try
            {
                Apply(Settings.Check(configuration), changed);
            }
            catch (SettingsException exception)
            {
                GatewayLog.SettingsRefused(logger, string.Join(" ", exception.Sentences));
            }
        }
    }

    private void Apply(BridgeOptions next, string[] changed)
    {
        transport.Change(next.Transport);
        if (changed.Any(IsToken))
        {
            credentials.Change(next.Http.Token, next.Http.Tokens);
            GatewayLog.TokensChanged(logger, next.Http.Tokens.Length + (string.IsNullOrEmpty(next.Http.Token) ? 0 : 1));
        }

        foreach (var key in changed.Where(key => !IsToken(key)))
        {
            if (key.StartsWith(Transport, StringComparison.OrdinalIgnoreCase) && TransportSettings.Live.TryGetValue(key[Transport.Length..], out var read))
            {
                GatewayLog.SettingApplied(logger, key, read(transport.Now));
            }
            else
            {
                // not its value: it may be a secret
                GatewayLog.SettingNeedsRestart(logger, key);
            }
        }
    }

    private static bool IsToken(string key) => key.Equals(Token, StringComparison.OrdinalIgnoreCase) || key.StartsWith(Tokens, StringComparison.OrdinalIgnoreCase);

    private Dictionary<string, string?> Read() =>
        Settings.Values(configuration).ToDictionary(pair => $"{BridgeOptions.Section}:{pair.Key}", pair => pair.Value, StringComparer.OrdinalIgnoreCase);
}
