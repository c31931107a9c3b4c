namespace MgbaBridge.Gateway.Tests.Support;

/// <summary>One emulator and gateway for the cases of a theory that change nothing, started with the first and ended after the last test of the class.</summary>
public sealed class SharedPlay : IAsyncDisposable
{
    private Task<Play>? _play;

    internal Task<Play> PlayAsync(params (string Key, string Value)[] settings) => PlayAsync(() => Play.StartAsync(settings));

    internal Task<Play> PlayAsync(Func<Task<Play>> start) => _play ??= start();

    public async ValueTask DisposeAsync()
    {
        if (_play is not null)
        {
            await (await _play).DisposeAsync();
        }
    }
}
