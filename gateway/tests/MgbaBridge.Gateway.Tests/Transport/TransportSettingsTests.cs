using MgbaBridge.Client.Transport;

namespace MgbaBridge.Gateway.Tests.Transport;

public sealed class TransportSettingsTests
{
    [Fact]
    public void SettingsForOneConnection_WhenTheParentsChange_ChangeToo()
    {
        var parent = new TransportSettings(new TransportOptions { RequestTimeout = TimeSpan.FromSeconds(1) });
        var alone = parent.Alone();
        Assert.Equal((TimeSpan.FromSeconds(1), 1, 1), (alone.Now.RequestTimeout, alone.Now.MinConnections, alone.Now.MaxConnections));
        parent.Change(new TransportOptions { RequestTimeout = TimeSpan.FromSeconds(9) });
        Assert.Equal((TimeSpan.FromSeconds(9), 1, 1), (alone.Now.RequestTimeout, alone.Now.MinConnections, alone.Now.MaxConnections));
        Assert.Same(alone.Now, alone.Now);
    }

    [Fact]
    public void SettingsForOneConnection_ThatNobodyUses_AreNotKept()
    {
        var parent = new TransportSettings(new TransportOptions());
        var alone = Abandoned(parent);
        GC.Collect();
        Assert.False(alone.IsAlive);
        Assert.NotNull(parent.Now);
    }

    [System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)]
    private static WeakReference Abandoned(TransportSettings parent) => new(parent.Alone());
}
