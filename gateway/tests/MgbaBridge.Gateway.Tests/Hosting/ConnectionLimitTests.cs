using MgbaBridge.Gateway.Hosting;

namespace MgbaBridge.Gateway.Tests.Hosting;

public sealed class ConnectionLimitTests
{
    [Theory]
    [InlineData(8_192, 1_048_576L, 8_192)]
    [InlineData(8_192, 1_024L, 320)]
    [InlineData(100, 1_024L, 100)]
    [InlineData(8_192, 64L, 16)]
    [InlineData(8_192, null, 8_192)]
    public void Connections_WithALimitOfOpenFiles_LeaveSomeForEverythingElse(int setting, long? openFiles, int expected) =>
        Assert.Equal(expected, ConnectionLimit.Of(setting, openFiles));

    [Fact]
    public void OpenFiles_OfTheProcess_AreTheSoftLimit()
    {
        Assert.Equal(1_024, ConnectionLimit.OpenFiles(["Limit                     Soft Limit           Hard Limit           Units     ", "Max open files            1024                 524288               files     "]));
        Assert.Null(ConnectionLimit.OpenFiles(["Max open files            unlimited            unlimited            files     "]));
        Assert.Null(ConnectionLimit.OpenFiles([]));
        Assert.True(!OperatingSystem.IsLinux() || ConnectionLimit.OpenFiles() > 0);
    }
}
