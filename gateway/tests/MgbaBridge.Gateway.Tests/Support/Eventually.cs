using System.Runtime.CompilerServices;

namespace MgbaBridge.Gateway.Tests.Support;

/// <summary>Waits for what another thread or the network will bring about, however busy the machine is.</summary>
internal static class Eventually
{
    public static readonly TimeSpan TimeLimit = TimeSpan.FromMinutes(2);

    public static Task Is(Func<bool> condition, [CallerArgumentExpression(nameof(condition))] string what = "") =>
        IsAsync(() => Task.FromResult(condition()), what);

    public static async Task IsAsync(Func<Task<bool>> condition, [CallerArgumentExpression(nameof(condition))] string what = "")
    {
        for (var since = TimeProvider.System.GetTimestamp(); !await condition();)
        {
            Assert.True(TimeProvider.System.GetElapsedTime(since) < TimeLimit, $"Never came true: {what}");
            await Task.Delay(1, TestContext.Current.CancellationToken);
        }
    }
}
